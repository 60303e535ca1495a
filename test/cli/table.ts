import t from "tap";
import { factLines, tableLines } from "../../src/cli/table.ts";

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
