import fc from "fast-check";
import stringWidth from "string-width";
import t from "tap";
import { createTable, factLines, tableLines } from "../../src/cli/table.ts";

const id = "0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10";
const at = "2026-12-01T09:00:00.000Z";

/** A terminal so wide, without colours. */
function screen(columns: number, colored = false) {
  return { columns, colored };
}

t.test("columns are as wide as their widest cell, and lines end with their text", async (t) => {
  const rows = [
    ["1", "a long name", true],
    ["22", "b", 7],
  ];
  t.strictSame(tableLines(["id", "name", "on"], rows), [
    "ID  NAME         ON",
    "1   a long name  true",
    "22  b            7",
  ]);
});

t.test("a table without rows is its headings, and short rows are filled up", async (t) => {
  t.strictSame(tableLines(["id", "name"], []), ["ID  NAME"]);
  t.strictSame(tableLines(["id", "name"], [["1"]]), ["ID  NAME", "1"]);
});

t.test("facts stand in two columns, in the order given", async (t) => {
  t.strictSame(factLines({ id: "1", created_at: "now", n: 0, on: false }), [
    "id          1",
    "created_at  now",
    "n           0",
    "on          false",
  ]);
});

t.test("wide characters take two columns, combining marks none", async (t) => {
  const rows = [
    ["株式会社", "x"],
    ["Zoe\u0308", "x"],
    ["🎟️🎟️", "x"],
  ];
  const lines = tableLines(["name", "on"], rows).slice(1);
  t.strictSame(
    lines.map((line) => stringWidth(line.slice(0, line.indexOf("x")))),
    [10, 10, 10],
  );
});

t.test("where nobody's terminal shows it, nothing is cut", async (t) => {
  const long = "x".repeat(500);
  t.match(tableLines(["id", "name", "url"], [[id, long, long]], { screen: screen(Infinity) })[1], long);
});

t.test("at a terminal texts are cut, and ids, instants and numbers are not", async (t) => {
  const rows = [[id, "A company with a very long name", at, 12_345]];
  const [head, line] = tableLines(["id", "name", "created", "credits"], rows, { screen: screen(91) });
  t.equal(line, `${id}  A company with a…   ${at}  12345`);
  t.match(head, /^ID +NAME +CREATED +CREDITS$/);
});

t.test("an id within a text is not cut either", async (t) => {
  const heads = ["at", "note", "on"];
  const rows = [["now", "a long note about nothing", `tenant ${id}`]];
  t.equal(tableLines(heads, rows, { screen: screen(65) })[1], `now  a long note ab…  tenant ${id}`);
  t.strictSame(tableLines(heads, rows, { screen: screen(40) }), [
    "AT   NOTE",
    "now  a long note about nothing",
  ]);
});

t.test("a cut text is torn apart nowhere, and no wider than its column", async (t) => {
  const options = { screen: screen(14) };
  const lines = tableLines(
    ["n", "name"],
    [
      [1, "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦"],
      [2, "e\u0301".repeat(20)],
    ],
    options,
  );
  t.equal(lines[1], "1  👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦…");
  t.equal(lines[2], `2  ${"e\u0301".repeat(10)}…`);
});

t.test(
  "where cutting does not do, columns are left out: those of least worth, then from the right",
  async (t) => {
    const heads = ["id", "tenant", "status", "created", "error"];
    const rows = [[id, id, "failed", at, "provider_error"]];
    const heading = (columns: number, least: string[]) =>
      tableLines(heads, rows, { least, screen: screen(columns) })[0]?.split(/ +/);
    t.strictSame(heading(130, ["tenant"]), ["ID", "TENANT", "STATUS", "CREATED", "ERROR"]);
    t.strictSame(heading(100, ["tenant"]), ["ID", "STATUS", "CREATED", "ERROR"]);
    t.strictSame(heading(80, ["tenant", "created"]), ["ID", "STATUS", "ERROR"]);
    t.strictSame(heading(110, []), ["ID", "TENANT", "STATUS", "CREATED"]);
    t.strictSame(heading(20, []), ["ID"], "the first stays, whole");
  },
);

t.test("no line is wider than the terminal, as long as an id has room", async () => {
  const text = fc.string({ unit: "grapheme", maxLength: 60 });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text, text)), fc.integer({ min: 36, max: 200 }), (texts, columns) => {
      const rows = texts.map((cells) => [id, ...cells]);
      const lines = tableLines(["id", "a", "b", "c"], rows, { screen: screen(columns) });
      return lines.every((line) => stringWidth(line) <= columns && !line.includes("\n"));
    }),
  );
});

t.test("the parts of a long table have the columns of its first", async (t) => {
  const table = createTable(["id", "name", "note"], { screen: screen(20) });
  t.strictSame(table.lines([["1", "Ada", "first"]]), ["ID  NAME  NOTE", "1   Ada   first"]);
  t.strictSame(table.lines([["2", "Grace Hopper", "second"]]), ["2   Gra…  seco…"]);
  const piped = createTable(["id", "name"], { screen: screen(Infinity) });
  piped.lines([["1", "Ada"]]);
  t.strictSame(
    piped.lines([["2", "Grace Hopper"]]),
    ["2   Grace Hopper"],
    "whole where it is not a terminal",
  );
});

t.test("what others have named does nothing to a terminal but be shown", async (t) => {
  const [, line] = tableLines(["id", "name"], [["1", "a\u001b[2Jb\nc\u202ed"]]);
  t.equal(line, "1   a\ufffd[2Jb c\ufffdd");
  t.strictSame(factLines({ name: "a\r\u001b]0;b\u0007" }), ["name  a \ufffd]0;b\ufffd"]);
});

t.test("at a terminal headings are bold and states have colours, which take no room", async (t) => {
  const rows = [["1", "failed", "x"]];
  t.strictSame(tableLines(["id", "status", "note"], rows, { screen: screen(80, true) }), [
    "\u001b[1mID\u001b[22m  \u001b[1mSTATUS\u001b[22m  \u001b[1mNOTE\u001b[22m",
    "1   \u001b[31mfailed\u001b[39m  x",
  ]);
});
