import t from "tap";
import { columnWidths, windowAround } from "../../src/tui/columns.ts";
import type { Column } from "../../src/tui/page.ts";

const rows = [{ id: "a", cells: ["x".repeat(20), "y".repeat(36), "z".repeat(8)] }];

t.test("columns are as wide as they need, titles included, where there is room", async (t) => {
  const columns = [{ title: "name" }, { title: "id" }, { title: "a long title" }];
  t.strictSame(columnWidths(columns, rows, 200), [20, 36, 12]);
});

t.test("where there is not, long ones give first, and then the widest", async (t) => {
  const columns = [{ title: "name" }, { title: "id", isLong: true }, { title: "kind" }];
  t.strictSame(columnWidths(columns, rows, 44), [20, 12, 8]);
  t.strictSame(columnWidths(columns, rows, 34), [12, 10, 8]);
  t.strictSame(columnWidths(columns, rows, 10), [5, 5, 5], "nobody reads less than that");
});

t.test("the rows that fit are those around the one that is looked at", async (t) => {
  t.strictSame(windowAround(0, 100, 10), { from: 0, to: 10 });
  t.strictSame(windowAround(50, 100, 10), { from: 45, to: 55 });
  t.strictSame(windowAround(99, 100, 10), { from: 90, to: 100 });
  t.strictSame(windowAround(1, 3, 10), { from: 0, to: 3 });
});

t.test("where the long ones have given what they can, other text gives before figures do", async (t) => {
  const columns: Column[] = [
    { title: "name" },
    { title: "passes", align: "right" },
    { title: "id", isLong: true },
  ];
  const rows = [{ id: "1", cells: ["n".repeat(20), "1,000,000,000", "i".repeat(36)] }];
  t.strictSame(columnWidths(columns, rows, 40), [13, 13, 10]);
  t.strictSame(columnWidths(columns, rows, 30), [6, 13, 7]);
});
