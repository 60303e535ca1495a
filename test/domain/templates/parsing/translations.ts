import t from "tap";
import { parseTemplate } from "../../../../src/domain/templates/parse.ts";
import { soundDocument, toldOf } from "../fixtures/authored.ts";
import { icons } from "../fixtures/png.ts";

const strings = (text: string): Buffer => Buffer.from(text);
const path = "fr.lproj/pass.strings";
const withStrings = (bytes: Uint8Array): Map<string, Uint8Array> => new Map([...icons(), [path, bytes]]);
const document = {
  ...soundDocument,
  fields: [
    { key: "points", label: "Points", kind: "Placeholder", default: "No points", change_message: "Now %@" },
    ...soundDocument.fields.slice(1),
  ],
  barcode: { format: "qr", message: "{{ref}}", alt_text: "Number {{ref}}" },
  apple: {
    logoText: "Wren",
    locations: [{ latitude: 1, longitude: 2, relevantText: "A cup?\n«Wren» is near" }],
    userInfo: { note: "{{ref}}" },
  },
};

t.test("every text of a template can be translated", async (t) => {
  const translated = [
    '"Points"',
    '"No points"',
    '"Now %@"',
    '"Kettle & Wren"',
    '"Card"',
    '"Wren"',
    '"Number 17"',
    String.raw`"A cup?\n\u00abWren\U00bb is near"`,
  ];
  const text = translated.map((key) => `${key} = "x";\n`).join("");
  t.strictSame(toldOf(document, withStrings(strings(text))), { errors: [], warnings: [] });
});

// biome-ignore format: read as a table
const doubtful: [name: string, text: string, expected: string][] = [
  ["a text of none",     '"Points" = "x";\n\n"Tier" = "y";', 'translates "Tier" in line 3, which no text of the template is: remove it, unless passes bring it as a value'],
  ["a misspelt text",    '"Poinst" = "x";',                  'translates "Poinst" in line 1, which no text of the template is: did you mean Points?'],
  ["a member's name",    '"logoText" = "x";',                'translates "logoText" in line 1, which no text of the template is: remove it, unless passes bring it as a value'],
  ["a message to scan",  '"17" = "x";',                      'translates "17" in line 1, which no text of the template is: remove it, unless passes bring it as a value'],
  ["a text twice",       '"Points" = "x"; "Points" = "y";',  'translates "Points" in line 1 again: remove one of them'],
  ["another case",       '"points" = "x";',                  'translates "points" in line 1, which no text of the template is: did you mean Points?'],
];

for (const [name, text, expected] of doubtful) {
  t.test(`${name} is a warning`, async (t) => {
    t.strictSame(toldOf(document, withStrings(strings(text))), {
      errors: [],
      warnings: [`images/${path} ${expected}`],
    });
  });
}

t.test("of the translations of another template the first are named, and the others counted", async (t) => {
  const text = Array.from({ length: 12 }, (_, i) => `"Other text ${i}" = "x";`).join("\n");
  const { warnings } = toldOf(document, withStrings(strings(text)));
  t.equal(warnings.length, 11);
  t.equal(warnings.at(-1), `images/${path} translates 2 more that no text of the template is`);
});

t.test("texts travel as UTF-16 with a byte order mark, in whatever encoding they came", async (t) => {
  const text = '/* été */\n"Points" = "Punkte 🎟";\r\n';
  const littleEndian = Buffer.from(`\ufeff${text}`, "utf16le");
  const expected = Buffer.from(littleEndian).swap16();
  t.strictSame([...expected.subarray(0, 6)], [0xfe, 0xff, 0x00, 0x2f, 0x00, 0x2a]);
  for (const bytes of [strings(text), strings(`\ufeff${text}`), expected, littleEndian]) {
    const { images } = parseTemplate(document, withStrings(bytes));
    t.ok(expected.equals(images.get(path) ?? Buffer.alloc(0)));
    t.strictSame([...images.keys()], [...icons().keys(), path], "each file in its place");
  }
});

t.test("a template for Google alone is not asked for its translations", async (t) => {
  const told = toldOf({ ...document, providers: ["google"] }, withStrings(strings('"Tier" = "y";')));
  t.strictSame(told, { errors: [], warnings: [] });
});
