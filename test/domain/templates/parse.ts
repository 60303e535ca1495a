import t from "tap";
import { parseTemplate } from "../../../src/domain/templates/parse.ts";
import { violationsOf } from "../fixtures/refusal.ts";

const icon = new Map([["icon.png", new Uint8Array([1])]]);
const minimal = {
  name: "Card",
  template_type: "LoyaltyCard",
  fields: [
    { key: "points", label: "Points", kind: "Placeholder" },
    { key: "terms", label: "", kind: "Static", default: "" },
    { key: "ref", label: "Ref", kind: "Computed", source: "external_ref" },
  ],
  header: {
    organization_name: "Kettle & Wren",
    description: "Card",
    background_color: "#A0B0C0",
    foreground_color: "#ffffff",
    label_color: "#000000",
  },
  body: { primary: ["points"] },
};

/** What an author is told about the minimal template with other members. */
const told = (other: object, images: ReadonlyMap<string, Uint8Array> = icon): Promise<string[]> =>
  violationsOf(() => parseTemplate({ ...minimal, ...other }, images));
const field = (other: object): object => ({ fields: [{ ...minimal.fields[0], ...other }] });
const header = (other: object): object => ({ header: { ...minimal.header, ...other } });

t.test("what may be left out is filled in: both wallets, all images, empty groups, no barcode", async (t) => {
  t.match(parseTemplate(minimal, icon), {
    name: "Card",
    type: "LoyaltyCard",
    description: null,
    providers: ["apple", "google"],
    images: icon,
    content: {
      header: { background_color: "#a0b0c0", images: ["icon.png"] },
      body: { header: [], primary: ["points"], secondary: [], auxiliary: [], back: [] },
      barcode: null,
    },
  });
  t.notOk("apple" in parseTemplate(minimal, icon).content);
});

t.test(
  "raw members of the wallets are kept as they are, unknown ones and falsy values included",
  async (t) => {
    const apple = { sharingProhibited: false, new_member: { deep: [null, 0, "{{points}}"] } };
    const google = { class: { x: "{{ref}}" } };
    t.match(parseTemplate({ ...minimal, apple, google }, icon).content, { apple, google });
  },
);

t.test("every mistake is named at once, with its place and what would be right", async (t) => {
  t.strictSame(
    await violationsOf(() => parseTemplate({ name: 7, body: [], extra: 1, barcode: {} }, new Map())),
    [
      "/extra is not known here; allowed: name, template_type, description, providers, fields, header, body, barcode, apple, google",
      "/name must be a string",
      "/template_type must be one of LoyaltyCard, EventTicket, Coupon, BoardingPass, GiftCard, MembershipCard, Generic",
      "/fields must be an array",
      "/header must be an object",
      "/header/organization_name must be a string",
      "/header/description must be a string",
      "/header/background_color must be a colour in the form #rrggbb",
      "/header/foreground_color must be a colour in the form #rrggbb",
      "/header/label_color must be a colour in the form #rrggbb",
      "/body must be an object",
      "/barcode/message must be a string",
      "/barcode/format must be one of qr, pdf417, aztec, code128",
      "images/icon.png is missing: Apple Wallet refuses a pass without an icon",
    ],
  );
});

t.test("a document that is no object is refused", async (t) => {
  for (const document of [null, [], "text", 7]) {
    t.equal((await violationsOf(() => parseTemplate(document, icon)))[0], " must be an object");
  }
});

t.test("a field's mistakes are named by its place", async (t) => {
  const cases: [object, string][] = [
    [field({ key: "no spaces" }), "/fields/0/key must be 1 to 64 of A-Z a-z 0-9 _ . -"],
    [field({ label: null }), "/fields/0/label must be a string"],
    [field({ kind: "placeholder" }), "/fields/0/kind must be one of Static, Placeholder, Computed"],
    [field({ default: 0 }), "/fields/0/default must be a string"],
    [field({ required: "yes" }), "/fields/0/required must be true or false"],
    [field({ max_length: 0 }), "/fields/0/max_length must be a whole number above 0"],
    [field({ max_length: 1.5 }), "/fields/0/max_length must be a whole number above 0"],
    [field({ max_length: "8" }), "/fields/0/max_length must be a whole number above 0"],
    [field({ change_message: "" }), "/fields/0/change_message must be 1 to 200 characters"],
    [field({ source: "pass_id" }), "/fields/0/source belongs to Computed fields only"],
    [field({ kind: "Static" }), "/fields/0/default is required for a Static field"],
    [
      field({ kind: "Computed" }),
      "/fields/0/source is required for a Computed field: pass_id, external_ref, version, issued_at, updated_at",
    ],
    [
      field({ kind: "Computed", source: "now" }),
      "/fields/0/source must be one of pass_id, external_ref, version, issued_at, updated_at",
    ],
    [{ fields: [...minimal.fields, minimal.fields[0]] }, "/fields/3/key stands twice: points"],
    [{ fields: [...minimal.fields, "points"] }, "/fields/3 must be an object"],
  ];
  for (const [other, expected] of cases) {
    const violations = await told(other);
    t.ok(violations.includes(expected), `${expected} is among: ${violations.join(" | ")}`);
  }
});

t.test("the body names fields of the template, each once", async (t) => {
  t.strictSame(await told({ body: { primary: ["points", "pionts"], back: ["points", 7], foot: [] } }), [
    "/body/foot is not known here; allowed: header, primary, secondary, auxiliary, back",
    "/body/primary/1 names the field pionts, which is not in /fields",
    "/body/back/0 points stands in the body twice",
    "/body/back/1 must be a string",
    "/body/back/1 names the field , which is not in /fields",
  ]);
});

t.test("a token needs a field, in the barcode and however deep in the wallets' members", async (t) => {
  t.strictSame(
    await told({
      barcode: { format: "qr", message: "{{a}}{{points}}", alt_text: "{{b}}" },
      apple: { back: [{ value: "{{c}}" }] },
      google: { class: { title: { text: "{{constructor}}" } } },
    }),
    [
      "/barcode/message uses {{a}}, but there is no field a",
      "/barcode/alt_text uses {{b}}, but there is no field b",
      "/apple/back/0/value uses {{c}}, but there is no field c",
      "/google/class/title/text uses {{constructor}}, but there is no field constructor",
    ],
  );
  t.strictSame(await told({ apple: [], google: null }), [
    "/apple must be an object",
    "/google must be an object",
  ]);
});

t.test("images are listed, and what is listed is there", async (t) => {
  const images = new Map([...icon, ["hero.png", new Uint8Array([1])]]);
  t.strictSame(await told(header({ images: ["icon.png", "logo.png"] }), images), [
    "/header/images/1 names images/logo.png, which is not there",
    "images/hero.png is not listed in /header/images",
  ]);
});

t.test("the icon is Apple's demand: without that wallet nothing is missed", async (t) => {
  t.strictSame(parseTemplate({ ...minimal, providers: ["google"] }, new Map()).providers, ["google"]);
  t.strictSame(await told({ providers: [] }), ["/providers must name at least one of apple, google"]);
  t.strictSame(await told({ providers: ["google", "samsung"] }), [
    "/providers/1 must be one of apple, google",
  ]);
});

t.test("lengths are counted in code points", async (t) => {
  t.equal(parseTemplate({ ...minimal, name: "🎟".repeat(100) }, icon).name.length, 200);
  t.strictSame(await told({ name: "🎟".repeat(101) }), ["/name must be 1 to 100 characters"]);
  t.strictSame(await told({ name: "" }), ["/name must be 1 to 100 characters"]);
  t.strictSame(await told({ description: "d".repeat(501) }), ["/description must be 1 to 500 characters"]);
});
