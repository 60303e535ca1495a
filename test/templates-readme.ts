import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import t from "tap";
import { parseTemplate, templateMembers } from "../src/domain/templates/parse.ts";
import { reservedAppleMembers } from "../src/domain/templates/parsing/apple/check-apple.ts";
import {
  fieldKinds,
  fieldMembers,
  longestValue,
  mostGivenFields,
} from "../src/domain/templates/parsing/fields.ts";
import {
  advisedTotalBytes,
  hero,
  imageScales,
  imageSlots,
  largestFileBytes,
  longestSidePixels,
} from "../src/domain/templates/parsing/image-slots.ts";
import { barcodeMembers, headerMembers } from "../src/domain/templates/parsing/look.ts";
import { googleParts } from "../src/domain/templates/parsing/wallet-members.ts";
import {
  barcodeFormats,
  bodyGroups,
  computedSources,
  intents,
  walletKeys,
} from "../src/domain/templates/template.ts";
import { soundDocument, toldOf, withField, withHeader } from "./domain/templates/fixtures/authored.ts";
import { icons } from "./domain/templates/fixtures/png.ts";

const text = readFileSync(fileURLToPath(new URL("../templates/README.md", import.meta.url)), "utf8");
/** The text as one line, so that a claim is found wherever its lines break. */
const prose = text.replace(/\s+/g, " ");
const claims = (t: { ok(found: boolean, name: string): unknown }, claim: string): void => {
  t.ok(prose.includes(claim), `it says: ${claim}`);
};

/** The part under a heading, up to the next one of any depth. */
function section(heading: string): string {
  const [, after = ""] = text.split(`\n${heading}\n`);
  return after.split(/\n##+ /)[0] ?? "";
}

/** The cells of the rows whose first cell is one name in code. */
function rowsOf(part: string): string[][] {
  return [...part.matchAll(/^\| `([^`]+)` \|(.*)\|$/gm)].map(([, name = "", rest = ""]) => [
    name,
    ...rest.split("|").map((cell) => cell.trim()),
  ]);
}

const isRequired = (document: object, path: string): boolean =>
  toldOf(document).errors.some((told) => told.startsWith(`template.json#${path} is required`));
const without = (document: Record<string, unknown>, name: string): object => {
  const { [name]: _, ...rest } = document;
  return rest;
};

t.test("it names the members of template.json, and those that are required", async (t) => {
  const rows = rowsOf(section("## template.json"));
  t.strictSame(
    rows.map(([name]) => name),
    [...templateMembers],
  );
  for (const [name = "", required] of rows) {
    t.equal(required === "required", isRequired(without(soundDocument, name), `/${name}`), name);
  }
});

t.test("it names the members of the header, and those that are required", async (t) => {
  const rows = rowsOf(section("### The header"));
  t.strictSame(
    rows.map(([name]) => name),
    [...headerMembers],
  );
  for (const [name = "", required] of rows) {
    const document = { ...soundDocument, header: without(soundDocument.header, name) };
    t.equal(required === "required", isRequired(document, `/header/${name}`), name);
  }
});

t.test(
  "it names every member of a field and of a barcode, every kind, source, group and format",
  async (t) => {
    const listed = section("### Fields").matchAll(/^- `(\w+)`/gm);
    const explained = [...listed].map(([, name]) => name);
    t.strictSame(new Set([...explained, "source"]), new Set(fieldMembers));
    const kinds = section("### Fields").matchAll(/^ {2}- `(\w+)`/gm);
    t.strictSame(
      [...kinds].map(([, name]) => name),
      [...fieldKinds],
    );
    claims(
      t,
      computedSources
        .slice(0, -1)
        .map((source) => `\`${source}\``)
        .join(", "),
    );
    claims(t, `or \`${computedSources.at(-1)}\``);
    claims(t, bodyGroups.map((group) => `\`${group}\``).join(", "));
    claims(
      t,
      barcodeFormats
        .slice(0, -1)
        .map((format) => `\`${format}\``)
        .join(", "),
    );
    for (const member of [...barcodeMembers, ...googleParts]) claims(t, `"${member}"`);
    claims(t, JSON.stringify(walletKeys).replace(",", ", "));
  },
);

t.test("its types and intents are all that there are", async (t) => {
  const rows = [...text.matchAll(/^\| `[a-z-]+` \| (\w+) \| `(\w+)` \|/gm)].map(([, type, intent]) => [
    type,
    intent,
  ]);
  t.strictSame(Object.fromEntries(rows), intents);
});

t.test("its limits are those that are kept", async (t) => {
  const long = (length: number): string => "x".repeat(length);
  const cases: [claim: string, document: (length: number) => object, limit: number][] = [
    ["up to 100 characters in one line", (length) => ({ ...soundDocument, name: long(length) }), 100],
    ["up to 500 characters", (length) => ({ ...soundDocument, description: long(length) }), 500],
    ["up to 200 characters", (length) => withHeader({ description: long(length) }), 200],
    ["`label`: up to 200 characters", (length) => withField({ label: long(length) }), 200],
    [
      `\`default\`: up to ${longestValue} characters`,
      (length) => withField({ default: long(length) }),
      longestValue,
    ],
    [`\`max_length\`: 1 to ${longestValue}`, (length) => withField({ max_length: length }), longestValue],
    ["up to 200 characters; `%@`", (length) => withField({ change_message: `%@${long(length - 2)}` }), 200],
  ];
  for (const [claim, document, limit] of cases) {
    claims(t, claim);
    t.strictSame(toldOf(document(limit)), { errors: [], warnings: [] }, claim);
    t.equal(toldOf(document(limit + 1)).errors.length, 1, `${claim}, and no more`);
  }
  claims(t, `at most ${mostGivenFields} Static and Placeholder fields`);
  claims(t, `up to ${largestFileBytes / 1024 / 1024} MiB each`);
  claims(t, `up to ${longestSidePixels} pixels a side`);
  claims(t, `more than ${advisedTotalBytes.toLocaleString("en")} bytes in all`);
});

t.test("its table of images is Apple's and Google's", async (t) => {
  const rows = rowsOf(section("## Images"));
  const expected = Object.entries(imageSlots).map(([name, { width, height, size }]) => [
    name,
    `${size} ${width} x ${height}`,
    imageScales.map((scale) => `${width * scale} x ${height * scale}`).join(", "),
  ]);
  t.strictSame(
    rows.map((cells) => cells.slice(0, 3)),
    [...expected, [hero.name, "", `${hero.width} x ${hero.height}`]],
  );
  for (const [name = "", , , shownOn = ""] of rows) {
    const types = imageSlots[name]?.shownOn ?? null;
    if (types !== null) t.ok(shownOn.startsWith(types.join(", ")), `${name}: ${shownOn}`);
    else t.notMatch(shownOn, new RegExp(Object.keys(intents).join("|")), `${name} is not bound to a type`);
  }
});

t.test("what it says is refused in apple's members is what is refused", async (t) => {
  const reserved = Object.keys(reservedAppleMembers);
  claims(
    t,
    reserved
      .slice(0, -1)
      .map((member) => `\`${member}\``)
      .join(", "),
  );
  claims(t, `\`${reserved.at(-1)}\` are refused`);
});

t.test("its examples are JSON, and its field is a field", async (t) => {
  const blocks = [...text.matchAll(/```json\n([\s\S]+?)```/g)].map(([, block = ""]) => block);
  t.equal(blocks.length, 2);
  const [field = "", apple = ""] = blocks;
  const document = { ...soundDocument, fields: [JSON.parse(field)], ...JSON.parse(`{${apple}}`) };
  t.strictSame(toldOf(document), { errors: [], warnings: [] });
  t.ok(parseTemplate(document, icons()));
});

t.test("the complaints that it shows are the ones that are made", async (t) => {
  const [, shown = ""] = /```\n(template\.json#[\s\S]+?)```/.exec(text) ?? [];
  const images = new Map([...icons(), ["logo.png", Buffer.from("\xff\xd8\xff", "latin1")]]);
  const document = { ...(withField({ lable: "" }) as object), body: { primary: ["pionts"] } };
  t.strictSame(shown.trim().split("\n"), toldOf(document, images).errors);
});
