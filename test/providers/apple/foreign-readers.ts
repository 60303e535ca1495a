import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PKPass } from "passkit-generator";
import t from "tap";
import { systemClock } from "../../../src/domain/clock.ts";
import { encodedPassStrings } from "../../../src/domain/templates/parsing/pass-strings.ts";
import {
  type TemplateBarcode,
  type TemplateContent,
  type TemplateType,
  templateTypes,
} from "../../../src/domain/templates/template.ts";
import { createAppleProvider } from "../../../src/providers/apple/provider.ts";
import { listWithPython, readJson, unpack, verifyWithOpenssl } from "./fixtures/archive.ts";
import { createAuthority, passTypeIdentifier } from "./fixtures/authority.ts";
import { compileKpkpassReader, kpkpassIsMissing } from "./fixtures/kpkpass.ts";
import { credentialsOf, passToIssue, png } from "./fixtures/pass-to-issue.ts";

// Passes of every type, judged by programs that we did not write: none shares a line with what made them.

const dir = t.testdir();
const authority = createAuthority(dir);
const root = join(dir, authority.rootFile);
const credentials = {
  RSA: credentialsOf(authority, authority.leaf("rsa")),
  EC: credentialsOf(authority, authority.leaf("ec", { kind: "ec" })),
};
const provider = createAppleProvider({ clock: systemClock });
t.teardown(() => provider.close());

const content = {
  fields: [
    { key: "points", label: "Points", kind: "Placeholder", change_message: "Now %@ points" },
    { key: "name", label: "Member", kind: "Placeholder" },
    { key: "number", label: "Number", kind: "Computed", source: "external_ref" },
    { key: "seat", label: "Seat", kind: "Placeholder" },
    { key: "terms", label: "Terms", kind: "Static", default: "Not for resale." },
  ],
  body: {
    header: ["points"],
    primary: ["name"],
    secondary: ["number"],
    auxiliary: ["seat"],
    back: ["terms"],
  },
  apple: { expirationDate: "2031-05-01T08:00:00.000Z" },
} satisfies Partial<TemplateContent>;
const data = { points: "1\u202f200", name: "Zoë «Ω» 山田 🎟", seat: "12C" };

const italian = {
  Points: "Punti",
  Member: "Socio",
  "Now %@ points": "Ora hai %@ punti",
  "Not for resale.": "Non cedibile — 30\u202f€",
};
const strings = Object.entries(italian)
  .map(([key, text]) => `"${key}" = ${JSON.stringify(text)};\n`)
  .join("");

/** What each type looks like for Apple, with the images that it shows and a barcode: each format, and none. */
const looks: Record<TemplateType, { style: string; slots: string[]; barcode: TemplateBarcode | null }> = {
  LoyaltyCard: { style: "storeCard", slots: ["strip"], barcode: { format: "qr", message: "M-{{number}}" } },
  GiftCard: {
    style: "storeCard",
    slots: ["strip"],
    barcode: { format: "pdf417", message: "Ä-{{number}}", alt_text: "{{number}}" },
  },
  Coupon: { style: "coupon", slots: ["strip"], barcode: { format: "code128", message: "{{number}}" } },
  EventTicket: {
    style: "eventTicket",
    slots: ["background", "thumbnail"],
    barcode: { format: "aztec", message: "{{name}}", alt_text: "山田" },
  },
  BoardingPass: {
    style: "boardingPass",
    slots: ["footer"],
    barcode: { format: "aztec", message: "M1/{{seat}}" },
  },
  MembershipCard: {
    style: "generic",
    slots: ["thumbnail"],
    barcode: { format: "qr", message: "{{points}}" },
  },
  Generic: { style: "generic", slots: ["thumbnail"], barcode: null },
};
const messages: Partial<Record<TemplateType, [message: string, encoding: string, alternative: string]>> = {
  LoyaltyCard: ["M-customer-17", "iso-8859-1", ""],
  GiftCard: ["Ä-customer-17", "iso-8859-1", "customer-17"],
  Coupon: ["customer-17", "iso-8859-1", ""],
  EventTicket: [data.name, "utf-8", "山田"],
  BoardingPass: ["M1/12C", "iso-8859-1", ""],
  MembershipCard: [data.points, "utf-8", ""],
};

function imagesOf(type: TemplateType): Map<string, Uint8Array> {
  const pictures = ["icon", "logo", ...looks[type].slots].flatMap((slot, place): [string, Uint8Array][] => [
    [`${slot}.png`, png(20 + place)],
    [`${slot}@2x.png`, png(2 * (20 + place))],
    [`${slot}@3x.png`, png(3 * (20 + place))],
  ]);
  return new Map([
    ...pictures,
    ["it.lproj/logo.png", png(7)],
    ["it.lproj/pass.strings", encodedPassStrings(strings)],
  ]);
}

const jobs = templateTypes.map((type, i) => {
  const images = imagesOf(type);
  const look = { ...content, barcode: looks[type].barcode };
  const job = passToIssue({ type, images, content: look, pass: { data }, templateVersion: 10 + i });
  return { type, images, job };
});
const built = Object.entries(credentials).flatMap(([key, signer]) =>
  jobs.map((one) => ({
    ...one,
    key,
    build: async () => Buffer.concat(await provider.build(one.job, signer)),
  })),
);

t.test("OpenSSL accepts the signature up to the root, and not with one byte changed", async (t) => {
  for (const { type, key, build } of built) {
    const folder = unpack(t.testdir(), "out", await build());
    t.doesNotThrow(() => verifyWithOpenssl(folder, root), `${type}, ${key}`);
    const manifest = join(folder, "manifest.json");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace('":"', '": "'));
    t.throws(() => verifyWithOpenssl(folder, root), { message: /digest failure|Verification failure/ });
  }
});

t.test("passkit-generator makes the same files, hashes and content of what it reads", async (t) => {
  const { certificate, key: signerKey, wwdr } = credentials.RSA;
  const certificates = { signerCert: certificate, signerKey, wwdr };
  for (const { type, key, images, build } of built) {
    const scratch = t.testdir();
    const archive = await build();
    const folder = unpack(scratch, "out", archive);
    const files = listWithPython(scratch, archive).map(({ path }): [string, Buffer] => [
      path,
      readFileSync(join(folder, path)),
    ]);
    const read = new PKPass(Object.fromEntries(files), certificates);
    t.equal(read.type, looks[type].style, `${type}, ${key}`);
    const raw = read.getAsRaw();
    // Of `barcode` it knows only the successor, and it adds lists of no fields.
    const { barcode, ...passJson } = readJson(folder, "pass.json");
    t.strictSame(JSON.parse(String(raw["pass.json"]), withoutEmptyLists), passJson, type);
    // It writes pass.json anew, and reads pass.strings in UTF-8 only.
    const others = (named: Record<string, unknown>) =>
      Object.entries(named)
        .filter(([path]) => !/pass\.(json|strings)$/.test(path))
        .toSorted();
    const theirs = others(JSON.parse(String(raw["manifest.json"])));
    t.strictSame(others(readJson(folder, "manifest.json")), theirs, type);
    t.equal(theirs.length, images.size - 1, "every picture is in it");
  }
});

function withoutEmptyLists(_member: string, value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}

t.test("KPkPass shows what was put in, in both languages", { skip: kpkpassIsMissing() }, async (t) => {
  const read = compileKpkpassReader(t.testdir());
  for (const { type, key, job, build } of built) {
    const archive = await build();
    const { style, slots, barcode } = looks[type];
    const plain = read(archive, "en");
    const name = `${type}, ${key}`;
    const { pass, baseUrl } = job;
    t.match(
      plain,
      {
        type: new RegExp(`^${style}$`, "i"),
        passTypeIdentifier,
        serialNumber: pass.id,
        authenticationToken: pass.authenticationToken,
        updateUrl: `${baseUrl}/apple/${pass.tenantId}/v1/passes/${passTypeIdentifier}/${pass.id}`,
        organizationName: "Café Zürich",
        description: "Loyalty card",
        logoText: "Zürich",
        backgroundColor: "#0a80ff",
        foregroundColor: "#ffffff",
        labelColor: "#000000",
        expirationDate: "2031-05-01T08:00:00Z",
      },
      name,
    );
    const [message = "", messageEncoding, alternativeText] = messages[type] ?? [];
    const drawn = {
      format: new RegExp(`^${barcode?.format}$`, "i"),
      message,
      messageEncoding,
      alternativeText,
    };
    t.match(plain.barcodes, barcode === null ? [] : [drawn], name);
    t.strictSame(
      plain.images,
      Object.fromEntries(
        ["icon", "logo", ...slots].map((slot, i) => [slot, [1, 2, 3].map((x) => x * (20 + i))]),
      ),
      name,
    );
    const field = (key: string, label: string, value: string, changeMessage = "") => [
      { key, label, value, changeMessage },
    ];
    const shown = ({ header, primary, secondary, auxiliary, back }: typeof plain) => ({
      header,
      primary,
      secondary,
      auxiliary,
      back,
    });
    const same = {
      secondary: field("number", "Number", "customer-17"),
      auxiliary: field("seat", "Seat", "12C"),
    };
    t.strictSame(
      shown(plain),
      {
        ...same,
        header: field("points", "Points", data.points, `Now ${data.points} points`),
        primary: field("name", "Member", data.name),
        back: field("terms", "Terms", "Not for resale."),
      },
      name,
    );
    t.strictSame(
      shown(read(archive, "it")),
      {
        ...same,
        header: field("points", "Punti", data.points, `Ora hai ${data.points} punti`),
        primary: field("name", "Socio", data.name),
        back: field("terms", "Terms", italian["Not for resale."]),
      },
      name,
    );
  }
});
