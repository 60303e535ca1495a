import type { Column, Row } from "./page.ts";

/** Between two columns. */
export const gap = 2;

/** What can be told of a column that is cut: of any, and of one that gives first. */
const leastWidth = 5;
const leastOfLong = 10;

/**
 * The widths of columns that together fit: as wide as they need, and where that is too much, less of the widest: of ids and
 * addresses first, then of other text, and of figures only when nothing else is left.
 */
export function columnWidths(columns: readonly Column[], rows: readonly Row[], width: number): number[] {
  const widths = columns.map(({ title }, index) =>
    rows.reduce((most, { cells }) => Math.max(most, [...(cells[index] ?? "")].length), title.length),
  );
  const room = width - gap * Math.max(0, columns.length - 1);
  for (let excess = sum(widths) - room; excess > 0; excess -= 1) {
    const giving = widths.map((each, index) => (columns[index]?.isLong && each > leastOfLong ? each : 0));
    const texts = widths.map((each, index) =>
      columns[index]?.align !== "right" && each > leastWidth ? each : 0,
    );
    const from = [giving, texts].find((some) => Math.max(...some) > 0) ?? widths;
    const widest = from.indexOf(Math.max(...from));
    const most = widths[widest] ?? 0;
    if (most <= leastWidth) break;
    widths[widest] = most - 1;
  }
  return widths;
}

/** Which rows of a list fit: those around the one that is looked at. */
export function windowAround(index: number, rows: number, height: number): { from: number; to: number } {
  const from = Math.min(Math.max(0, index - Math.floor(height / 2)), Math.max(0, rows - height));
  return { from, to: Math.min(rows, from + height) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
