import t from "tap";
import { parseTemplate } from "../../../src/domain/templates/parse.ts";
import { refusalOf } from "../fixtures/refusal.ts";
import { soundDocument, toldOf, withField, withHeader } from "./fixtures/authored.ts";
import { icons } from "./fixtures/png.ts";

const withNewField = (other: object): object => ({
  ...soundDocument,
  fields: [...soundDocument.fields, { label: "New", kind: "Placeholder", ...other }],
});
const changed = (other: object): object => ({ ...soundDocument, ...other });

t.test("what may be left out is filled in: both wallets, all images, empty groups, no barcode", async (t) => {
  const images = icons();
  t.match(parseTemplate(soundDocument, images), {
    name: "Card",
    type: "LoyaltyCard",
    description: null,
    providers: ["apple", "google"],
    images,
    content: {
      header: { background_color: "#a0b0c0", images: [...images.keys()] },
      body: { header: [], primary: ["points"], secondary: [], auxiliary: [], back: [] },
      barcode: null,
    },
  });
  t.notOk("apple" in parseTemplate(soundDocument, images).content);
  t.strictSame(toldOf(soundDocument), { errors: [], warnings: [] });
});

t.test("members of the wallets are kept as they are, unknown ones and falsy values included", async (t) => {
  const apple = { sharingProhibited: false, new_member: { deep: [null, 0, "{{points}}"] } };
  const google = { class: { x: "{{ref}}" } };
  t.match(parseTemplate(changed({ apple, google }), icons()).content, { apple, google });
});

t.test("every mistake is named at once, with its file, its place and what would be right", async (t) => {
  const { errors } = toldOf({ name: 7, body: [], extra: 1, barcode: {} }, new Map());
  t.strictSame(errors, [
    "template.json#/extra is not known here: remove it, or use one of name, template_type, description, providers, fields, header, body, barcode, apple, google",
    "template.json#/name must be text of 1 to 100 characters, not the number 7",
    "template.json#/template_type is required: one of LoyaltyCard, EventTicket, Coupon, BoardingPass, GiftCard, MembershipCard, Generic",
    "template.json#/fields is required: an array",
    "template.json#/header is required: an object",
    "template.json#/body must be an object, not an array",
    "template.json#/barcode/format is required: one of qr, pdf417, aztec, code128",
    "template.json#/barcode/message is required: text of 1 to 4096 characters",
    "images/icon.png is missing: Apple Wallet refuses a pass without an icon; add one of 38 x 38 pixels",
  ]);
});

t.test("a refused template is an invalid request with all of it in its details", async (t) => {
  const refusal = await refusalOf(() => parseTemplate(changed({ name: "", colour: "red" }), icons()));
  t.equal(refusal.code, "invalid_request");
  t.strictSame(
    refusal.details?.map(({ path }) => path),
    ["template.json#/colour", "template.json#/name"],
  );
});

t.test("a document that is no object is refused", async (t) => {
  for (const [document, kind] of [
    [null, "null"],
    [[], "an array"],
    ["text", 'the string "text"'],
    [7, "the number 7"],
  ]) {
    t.equal(toldOf(document).errors[0], `template.json must be an object, not ${kind}`);
  }
});

// biome-ignore format: read as a table
const broken: [name: string, document: object, expected: string][] = [
  ["a member that is nearly right", changed({ tempalte_type: 1 }), "template.json#/tempalte_type is not known here: did you mean template_type?"],
  ["a member of a field", withField({ lable: "x" }), "template.json#/fields/0/lable is not known here: did you mean label?"],
  ["a member of the header", withHeader({ backgroundColor: "#fff" }), "template.json#/header/backgroundColor is not known here: did you mean background_color?"],
  ["a group of the body", changed({ body: { foot: [] } }), "template.json#/body/foot is not known here: remove it, or use one of header, primary, secondary, auxiliary, back"],
  ["a member of the barcode", changed({ barcode: { format: "qr", message: "1", altText: "" } }), "template.json#/barcode/altText is not known here: did you mean alt_text?"],
  ["a member whose name needs escapes", changed({ "a/b~c": 1 }), "template.json#/a~1b~0c is not known here: remove it, or use one of name, template_type, description, providers, fields, header, body, barcode, apple, google"],
  ["an empty name", changed({ name: "" }), "template.json#/name must have 1 to 100 characters, and has 0"],
  ["a name of 101 code points", changed({ name: "🎟".repeat(101) }), "template.json#/name must have 1 to 100 characters, and has 101"],
  ["a name of two lines", changed({ name: "a\nb" }), "template.json#/name must be a single line without control characters"],
  ["a long description", changed({ description: "d".repeat(501) }), "template.json#/description must have 1 to 500 characters, and has 501"],
  ["an unknown type", changed({ template_type: "loyaltycard" }), 'template.json#/template_type must be one of LoyaltyCard, EventTicket, Coupon, BoardingPass, GiftCard, MembershipCard, Generic, not "loyaltycard": did you mean LoyaltyCard?'],
  ["no wallet", changed({ providers: [] }), "template.json#/providers must name at least one of apple, google"],
  ["an unknown wallet", changed({ providers: ["google", "samsung"] }), 'template.json#/providers/1 must be one of apple, google, not "samsung"'],
  ["a named colour", withHeader({ label_color: "red" }), 'template.json#/header/label_color must be a colour as #rrggbb, not "red"'],
  ["a text of the page that is none", withHeader({ page_text: 7 }), "template.json#/header/page_text must be text of 0 to 500 characters, not the number 7"],
  ["a short colour", withHeader({ label_color: "#f0c" }), 'template.json#/header/label_color must be a colour as #rrggbb, not "#f0c": did you mean #ff00cc?'],
  ["a colour that is a number", withHeader({ label_color: 0 }), "template.json#/header/label_color must be a colour as #rrggbb, not the number 0"],

  ["a key with a space", withNewField({ key: "no spaces" }), 'template.json#/fields/3/key must be 1 to 64 of A-Z a-z 0-9 _ . -, not "no spaces"'],
  ["a key of 65 letters", withNewField({ key: "k".repeat(65) }), `template.json#/fields/3/key must be 1 to 64 of A-Z a-z 0-9 _ . -, not "${"k".repeat(65)}"`],
  ["a field without a key", withNewField({}), "template.json#/fields/3/key is required: 1 to 64 of A-Z a-z 0-9 _ . -"],
  ["a key that no pass could be given", withNewField({ key: "__proto__" }), 'template.json#/fields/3/key must be 1 to 64 of A-Z a-z 0-9 _ . -, not "__proto__"'],
  ["a label that is null", withField({ label: null }), "template.json#/fields/0/label must be text of 0 to 200 characters, not null"],
  ["an unknown kind", withField({ kind: "placeholder" }), 'template.json#/fields/0/kind must be one of Placeholder, Static, Computed, not "placeholder": did you mean Placeholder?'],
  ["a default that is a number", withField({ default: 0 }), "template.json#/fields/0/default must be text of 0 to 4096 characters, not the number 0"],
  ["a default beyond max_length", withField({ default: "12345", max_length: 4 }), "template.json#/fields/0/default must not be longer than max_length, 4 characters, and has 5"],
  ["a required that is text", withField({ required: "yes" }), 'template.json#/fields/0/required must be true or false, not "yes"'],
  ["a max_length of 0", withField({ max_length: 0 }), "template.json#/fields/0/max_length must be a whole number from 1 to 4096, not 0"],
  ["a max_length with a fraction", withField({ max_length: 1.5 }), "template.json#/fields/0/max_length must be a whole number from 1 to 4096, not 1.5"],
  ["a max_length beyond any value", withField({ max_length: 4097 }), "template.json#/fields/0/max_length must be a whole number from 1 to 4096, not 4097"],
  ["an empty change_message", withField({ change_message: "" }), "template.json#/fields/0/change_message must have 1 to 200 characters, and has 0"],
  ["a source where there is none", withField({ source: "pass_id" }), "template.json#/fields/0/source belongs to Computed fields only: remove it, or make the field Computed"],
  ["a Static field without a default", withField({ kind: "Static" }), 'template.json#/fields/0/default is required: text, which may be "", since the field is Static'],
  ["a Computed field without a source", withField({ kind: "Computed" }), "template.json#/fields/0/source is required: one of pass_id, external_ref, version, issued_at, updated_at"],
  ["a Computed field with an unknown source", withField({ kind: "Computed", source: "issued" }), 'template.json#/fields/0/source must be one of pass_id, external_ref, version, issued_at, updated_at, not "issued": did you mean issued_at?'],
  ["a default of a Computed field", withField({ kind: "Computed", source: "pass_id", default: "" }), "template.json#/fields/0/default cannot stand on a Computed field, which takes its value from source: remove it"],
  ["a key that stands twice", changed({ fields: [...soundDocument.fields, soundDocument.fields[0]] }), "template.json#/fields/3/key is the key of /fields/0 already, points: give each field its own"],
  ["a field that is text", changed({ fields: [...soundDocument.fields.slice(0, 1), "points"] }), 'template.json#/fields/1 must be an object, not the string "points"'],

  ["a field that the body misspells", changed({ body: { primary: ["pionts"] } }), 'template.json#/body/primary/0 names the field "pionts", which does not exist: did you mean points?'],
  ["a field that nobody knows", changed({ body: { back: ["warranty"] } }), 'template.json#/body/back/0 names the field "warranty", which does not exist: add it to /fields, or remove it here'],
  ["a field in two groups", changed({ body: { primary: ["points"], back: ["ref", "points"] } }), "template.json#/body/back/1 is points again, which stands at /body/primary/0 already: a field has one place"],
  ["a body with a number", changed({ body: { primary: [7] } }), "template.json#/body/primary/0 must be the key of a field, as text"],
  ["a group that is text", changed({ body: { primary: "points" } }), 'template.json#/body/primary must be an array, not the string "points"'],

  ["an unknown barcode", changed({ barcode: { format: "code39", message: "1" } }), 'template.json#/barcode/format must be one of qr, pdf417, aztec, code128, not "code39"'],
  ["a token of no field", changed({ barcode: { format: "qr", message: "{{zip}}{{points}}" } }), "template.json#/barcode/message uses {{zip}}, but there is no field zip: add one to /fields, or remove the token"],
  ["a token that is misspelt", changed({ barcode: { format: "qr", message: "1", alt_text: "{{Points}}" } }), "template.json#/barcode/alt_text uses {{Points}}, but there is no field Points: did you mean points?"],
  ["a token with spaces", changed({ barcode: { format: "qr", message: "{{ points }}" } }), "template.json#/barcode/message has {{ points }}, which is no token: did you mean {{points}}?"],
  ["a token deep in apple's members", changed({ apple: { back: [{ value: "{{zip}}" }] } }), "template.json#/apple/back/0/value uses {{zip}}, but there is no field zip: add one to /fields, or remove the token"],
  ["a token called like an inherited member", changed({ google: { class: { a: { b: "{{constructor}}" } } } }), "template.json#/google/class/a/b uses {{constructor}}, but there is no field constructor: add one to /fields, or remove the token"],
  ["an apple that is an array", changed({ apple: [] }), "template.json#/apple must be an object, not an array"],
  ["a google that is null", changed({ google: null }), "template.json#/google must be an object, not null"],
  ["a class that is text", changed({ google: { class: "x" } }), 'template.json#/google/class must be an object, not the string "x"'],
  ["a __proto__ in the body", changed({ body: JSON.parse('{"__proto__":["points"]}') }), "template.json#/body/__proto__ is not known here: remove it, or use one of header, primary, secondary, auxiliary, back"],
  ["a __proto__ among apple's members", changed({ apple: { a: JSON.parse('{"__proto__":{}}') } }), "template.json#/apple/a/__proto__ cannot be the name of a member: remove it"],

  ["an image that is not there", withHeader({ images: ["icon.png", "icon@2x.png", "icon@3x.png", "lgoo.png"] }), "template.json#/header/images/3 names images/lgoo.png, which is not there: add the file, or remove the name"],
  ["an image under another name", withHeader({ images: ["icon.png", "icon@2x.png", "icon@3x.png", "Icon.png"] }), "template.json#/header/images/3 names images/Icon.png, which is not there: did you mean icon.png?"],
  ["an image that nothing names", withHeader({ images: ["icon.png", "icon@2x.png"] }), "images/icon@3x.png is not named in template.json#/header/images: name it, or remove the file"],
];

for (const [name, document, expected] of broken) {
  t.test(`${name} is refused, and nothing else is`, async (t) => {
    t.strictSame(toldOf(document).errors, [expected]);
  });
}

// biome-ignore format: read as a table
const doubtful: [name: string, document: object, expected: string][] = [
  ["a change_message without %@", withField({ change_message: "News" }), "template.json#/fields/0/change_message has no %@, so an iPhone tells of the change in general words: put %@ where the new value belongs"],
  ["a required field with a default", withField({ required: true, default: "0" }), "template.json#/fields/0/required has no effect, since the field has a value without being given one: remove it, or the default"],
  ["a required Static field", withField({ kind: "Static", required: true, default: "0" }), "template.json#/fields/0/required has no effect, since the field has a value without being given one: remove it"],
  ["an optional field without a default", withField({ required: false }), "template.json#/fields/0/required has no effect: a Placeholder without a default is required in any case; give it a default"],
  ["a max_length of a Computed field", withField({ kind: "Computed", source: "pass_id", max_length: 5 }), "template.json#/fields/0/max_length has no effect on a Computed field: remove it"],
  ["a token in a default", withField({ default: "for {{ref}}" }), "template.json#/fields/0/default has {{ref}}, which is shown as it is: tokens are replaced only in /barcode, /apple and /google"],
  ["a token in the page's text", withHeader({ page_text: "{{points}}" }), "template.json#/header/page_text has {{points}}, which is shown as it is: tokens are replaced only in /barcode, /apple and /google"],
  ["a token in the logo's text", withHeader({ logo_text: "{{points}}" }), "template.json#/header/logo_text has {{points}}, which is shown as it is: tokens are replaced only in /barcode, /apple and /google"],
  ["an image that is named twice", withHeader({ images: ["icon.png", "icon@2x.png", "icon@3x.png", "icon.png"] }), "template.json#/header/images/3 names icon.png again: once is enough"],
  ["a member beside class and object", changed({ google: { objects: {} } }), "template.json#/google/objects is neither class nor object, and ignored: did you mean object?"],
];

for (const [name, document, expected] of doubtful) {
  t.test(`${name} is a warning, and stops nothing`, async (t) => {
    t.strictSame(toldOf(document), { errors: [], warnings: [expected] });
    t.ok(parseTemplate(document, icons()));
  });
}

t.test("a pass must be able to take a value for every field that can be given one", async (t) => {
  const fields = (given: number, computed: number): object => ({
    ...soundDocument,
    body: {},
    fields: [
      ...Array.from({ length: given }, (_, i) => ({ key: `g${i}`, label: "", kind: "Placeholder" })),
      ...Array.from({ length: computed }, (_, i) => ({
        key: `c${i}`,
        label: "",
        kind: "Computed",
        source: "pass_id",
      })),
    ],
  });
  t.strictSame(toldOf(fields(100, 5)).errors, []);
  t.strictSame(toldOf(fields(101, 0)).errors, [
    "template.json#/fields has 101 Static and Placeholder fields: remove some, a pass takes 100 values at most",
  ]);
});

t.test("lengths are counted in code points", async (t) => {
  t.equal(parseTemplate(changed({ name: "🎟".repeat(100) }), icons()).name.length, 200);
  t.ok(parseTemplate(withField({ default: "🎟🎟🎟🎟", max_length: 4 }), icons()));
});

t.test("a wallet that is named twice is one", async (t) => {
  const { providers } = parseTemplate(changed({ providers: ["google", "google"] }), new Map());
  t.strictSame(providers, ["google"]);
});
