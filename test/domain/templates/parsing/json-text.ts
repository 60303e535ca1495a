import fc from "fast-check";
import t from "tap";
import { lineAndColumn, readJson } from "../../../../src/domain/templates/parsing/json-text.ts";

/** `line:column message` of a mistake. */
function mistakeOf(text: string): string {
  const reading = readJson(text);
  if (!("mistake" in reading)) throw new Error("it is JSON");
  const { line, column } = lineAndColumn(text, reading.mistake.offset);
  return `${line}:${column} ${reading.mistake.message}`;
}

// biome-ignore format: read as a table
const mistakes: [text: string, expected: string][] = [
  ["",                                "1:1 a value belongs here, and there is the end of the file"],
  ['{\n  "a": 1,\n}',                 "3:1 a name in double quotes belongs here, and there is }: remove the comma before it"],
  ["[1, 2,\n]",                       "2:1 a value belongs here, and there is ]: remove the comma before it"],
  ['{ "a": 1 "b": 2 }',               '1:10 a comma or } belongs here, and there is "'],
  ['{\n  "a" 1 }',                    '2:7 a colon belongs behind "a", and there is 1'],
  ["[1 2]",                           "1:4 a comma or ] belongs here, and there is 2"],
  ["{ a: 1 }",                        "1:3 a name in double quotes belongs here, and there is a"],
  ["{ 'a': 1 }",                      '1:3 a name in double quotes belongs here, and there is \': JSON has only "straight double quotes"'],
  ['{ "a": “x” }',                    '1:8 a value belongs here, and there is “: JSON has only "straight double quotes"'],
  ['{ "a": 1 // one\n}',              "1:10 a comma or } belongs here, and there is /: JSON has no comments"],
  ['{ "a": 01 }',                     "1:9 a comma or } belongs here, and there is 1"],
  ['{ "a": True }',                   "1:8 a value belongs here, and there is T"],
  ['{\n  "a": "x\n}',                 '2:8 the text has no closing "'],
  ['{ "a": "\\d" }',                  "1:9 this \\ begins no escape that JSON knows: write \\\\ for a backslash"],
  ['{ "a": "x\ty" }',                 "1:10 this control character must be written as an escape, such as \\n or \\t"],
  ['{ "🎟": x }',                     "1:8 a value belongs here, and there is x"],
  ['{ "a": 🎟 }',                     "1:8 a value belongs here, and there is 🎟"],
  ['{} x',                            "1:4 x stands behind the end: remove it"],
  ['{ "a": 1',                        "1:9 a comma or } belongs here, and there is the end of the file"],
  [`${"[".repeat(102)}`,              "1:102 is nested deeper than 100 levels"],
];

for (const [text, expected] of mistakes) {
  t.test(`what is wrong is told with its place: ${JSON.stringify(text).slice(0, 40)}`, async (t) => {
    t.equal(mistakeOf(text), expected);
  });
}

t.test("a member that stands twice is told by its pointer and its second place", async (t) => {
  const text = '{ "a": 1,\n "b/c": [{ "d": 1, "d": 2 }],\n "a": 3, "\\u0061": 4 }';
  const reading = readJson(text);
  if ("mistake" in reading) throw new Error(reading.mistake.message);
  t.strictSame(
    reading.repeated.map(({ pointer, offset }) => [pointer, lineAndColumn(text, offset)]),
    [
      ["/b~1c/0/d", { line: 2, column: 20 }],
      ["/a", { line: 3, column: 2 }],
      ["/a", { line: 3, column: 10 }],
    ],
  );
});

t.test("whatever is JSON is read as JSON.parse reads it", async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(undefined, 1, "\t"), (compact, indent) => {
        const text = JSON.stringify(JSON.parse(compact), null, indent);
        const reading = readJson(text);
        return "value" in reading && JSON.stringify(reading.value) === JSON.stringify(JSON.parse(text));
      }),
    ),
  );
});

t.test("whatever is damaged is refused exactly where JSON.parse refuses it", async (t) => {
  const damaged = fc
    .tuple(
      fc.json({ maxDepth: 3 }),
      fc.nat(),
      fc.constantFrom("", ",", "}", "]", '"', "\\", "0", "e", "/", "\n"),
    )
    .map(([text, at, put]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(put === "" ? place + 1 : place);
    });
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(damaged, (text) => "value" in readJson(text) === isJson(text)),
      { numRuns: 2000 },
    ),
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
