import type { ReactNode } from "react";
import { columnWidths, gap, windowAround } from "../columns.ts";
import type { Row } from "../page.ts";
import { cursorIndex, type State, shownRows } from "../state.ts";
import { box, line } from "./tinted.ts";

/** In front of each row: where the cursor is, and whether it is marked. */
const signsWidth = 3;

/** The rows around the cursor, in `height` lines with their headings. */
export function tableView(state: State, height: number): ReactNode {
  const { page, size } = state;
  if (page === null) return line(state.stale === null ? "Reading…" : "", { tone: "faint" });
  const rows = shownRows(state);
  if (rows.length === 0) {
    return line(page.rows.length > 0 ? "No row has that text." : page.empty, { tone: "faint" });
  }
  const widths = columnWidths(page.columns, rows, size.columns - signsWidth);
  const index = cursorIndex(state);
  const { from, to } = windowAround(index, rows.length, Math.max(1, height - 1));
  const cells = (texts: readonly string[], style: Parameters<typeof line>[1]): ReactNode[] =>
    widths.map((width, column) => {
      const isRight = page.columns[column]?.align === "right";
      return box(
        {
          key: String(column),
          width,
          flexShrink: 0,
          marginRight: column < widths.length - 1 ? gap : 0,
          justifyContent: isRight ? "flex-end" : "flex-start",
        },
        line(texts[column] ?? "", style),
      );
    });
  const headings = page.columns.map(({ title }) => title.toUpperCase());
  return box(
    { flexDirection: "column" },
    box({ key: "headings", paddingLeft: signsWidth }, ...cells(headings, { tone: "faint" })),
    ...rows.slice(from, to).map((row, offset) => rowView(row, from + offset === index)),
  );

  function rowView(row: Row, isHere: boolean): ReactNode {
    const style = { tone: row.tone, inverse: isHere } as const;
    const signs = `${isHere ? "›" : " "}${state.marked.has(row.id) ? "✓" : " "} `;
    return box(
      { key: row.id },
      box({ key: "signs", width: signsWidth, flexShrink: 0 }, line(signs, { bold: true })),
      ...cells(row.cells, style),
    );
  }
}

/** A page of text, from where it is scrolled to. */
export function textView({ page, scroll }: State, height: number): ReactNode {
  const lines = page?.lines ?? [];
  const from = Math.min(scroll, Math.max(0, lines.length - height));
  return box(
    { flexDirection: "column" },
    ...lines
      .slice(from, from + height)
      .map((text, index) => line(text || " ", { key: String(from + index) })),
  );
}
