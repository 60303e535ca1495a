/** Lines of a table whose columns are as wide as their widest cell. */
export function tableLines(
  headings: readonly string[],
  rows: readonly (readonly (string | number | boolean)[])[],
): string[] {
  const cells = [headings.map((heading) => heading.toUpperCase()), ...rows.map((row) => row.map(String))];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? "").length)));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** Lines of one thing's facts. */
export function factLines(facts: Record<string, string | number | boolean>): string[] {
  const width = Math.max(...Object.keys(facts).map((name) => name.length));
  return Object.entries(facts).map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}
