import { styleText } from "node:util";
import { cut, pad, printable, widthOf } from "./cell-text.ts";

type Cell = string | number | boolean;

/** What a table is written for. `columns`: how wide a line may be; without end where no terminal shows it. */
export type Screen = { columns: number; colored: boolean };

export type TableOptions = {
  /** Headings of the columns that are left out first where there is no room, the first of them first. */
  least?: readonly string[];
  screen?: Screen;
};

const gap = "  ";

/** A text column keeps so much of itself before a whole column is left out. */
const leastText = 10;

/** Ids, also within a text, instants and numbers: of these a part is worth nothing, or misleads. */
const hasId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b\d\d-\d+-\d+\b/i;
const indivisible = /^(?:\d{4}-\d\d-\d\dT[\d:.]+Z|-|[\d.,]+(?: ms)?|)$/i;

const tones = {
  red: ["failed", "dead_lettered", "open", "archived", "deleting"],
  yellow: ["retrying", "suspended", "disabled", "half_open", "cancelled", "interrupted", "retiring"],
  green: ["active", "completed", "delivered", "enabled", "closed", "done"],
} as const;

/**
 * Lines of a table whose columns are as wide as their widest cell. At a terminal a line is never wider than that: texts are
 * cut, then columns are left out, those of `least` first and then from the right. The first column, ids, instants and
 * numbers are never cut. Where the output goes elsewhere, all is written as it is.
 */
export function tableLines(
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
  options: TableOptions = {},
): string[] {
  return createTable(headings, options).lines(rows);
}

/** A table that comes in parts: the first part has the headings and decides for all which columns there are. */
export function createTable(headings: readonly string[], { least = [], screen }: TableOptions = {}) {
  const { columns, colored } = screen ?? ownScreen();
  let shown: Column[] | undefined;
  return {
    lines(rows: readonly (readonly Cell[])[]): string[] {
      const cells = rows.map((row) => headings.map((_, index) => printable(String(row[index] ?? ""))));
      const isFirst = shown === undefined;
      shown ??= fitting(measured(headings, cells), { columns, least });
      const layout = columns === Number.POSITIVE_INFINITY ? widened(shown, cells) : shown;
      const head = layout.map(({ heading, width }) => ({ text: heading.toUpperCase(), width }));
      const lines = isFirst ? [lineOf(head, (text) => (colored ? painted("bold", text) : text))] : [];
      for (const row of cells) {
        const line = layout.map(({ index, width }) => ({ text: row[index] ?? "", width }));
        lines.push(lineOf(line, colored ? withTone : plain));
      }
      return lines;
    },
  };
}

/** Lines of one thing's facts. They are whole at a terminal, too. */
export function factLines(facts: Record<string, Cell>): string[] {
  const width = Math.max(...Object.keys(facts).map(widthOf));
  return Object.entries(facts).map(([name, value]) => `${pad(name, width)}${gap}${printable(String(value))}`);
}

type Column = { index: number; heading: string; width: number; isText: boolean };

function measured(headings: readonly string[], rows: readonly (readonly string[])[]): Column[] {
  return headings.map((heading, index) => {
    const cells = rows.map((row) => row[index] ?? "");
    return {
      index,
      heading,
      width: Math.max(widthOf(heading), ...cells.map(widthOf)),
      isText:
        index > 0 &&
        !cells.some((cell) => hasId.test(cell)) &&
        !cells.every((cell) => indivisible.test(cell)),
    };
  });
}

/** The columns that there is room for, each as wide as it may be. */
function fitting(all: Column[], { columns, least }: { columns: number; least: readonly string[] }): Column[] {
  let kept = all;
  for (;;) {
    const excess = widthOfLine(kept) - columns;
    if (excess <= 0) return kept;
    const narrower = narrowed(kept, excess);
    if (narrower !== null) return narrower;
    const goes =
      least.map((name) => kept.find(({ heading }) => heading === name)).find(Boolean) ?? kept.at(-1);
    // The first is what the rest is about, and is copied: it stays whole on the narrowest screen.
    if (goes === undefined || kept.length === 1) return kept;
    kept = kept.filter((column) => column !== goes);
  }
}

/** The widest texts give away first; null where all of them together have not so much to give. */
function narrowed(columns: readonly Column[], excess: number): Column[] | null {
  const result = columns.map((column) => ({ ...column }));
  for (let left = excess; left > 0; left -= 1) {
    const [widest] = result
      .filter(({ isText, width, heading }) => isText && width > Math.max(leastText, widthOf(heading)))
      .sort((a, b) => b.width - a.width);
    if (widest === undefined) return null;
    widest.width -= 1;
  }
  return result;
}

function widened(columns: readonly Column[], rows: readonly (readonly string[])[]): Column[] {
  return columns.map((column) => ({
    ...column,
    width: Math.max(column.width, ...rows.map((row) => widthOf(row[column.index] ?? ""))),
  }));
}

function widthOfLine(columns: readonly Column[]): number {
  return columns.reduce((sum, { width }) => sum + width, gap.length * (columns.length - 1));
}

function lineOf(cells: readonly { text: string; width: number }[], paint: (text: string) => string): string {
  return cells
    .map(({ text, width }, index) => {
      const whole = cut(text, width);
      const filling = index === cells.length - 1 ? "" : " ".repeat(Math.max(0, width - widthOf(whole)));
      return `${paint(whole)}${filling}`;
    })
    .join(gap)
    .trimEnd();
}

function plain(text: string): string {
  return text;
}

function withTone(text: string): string {
  for (const [tone, words] of Object.entries(tones)) {
    if ((words as readonly string[]).includes(text)) return painted(tone as keyof typeof tones, text);
  }
  return text;
}

function painted(style: "bold" | keyof typeof tones, text: string): string {
  return styleText(style, text, { validateStream: false });
}

/** Standard output, as it is now. What colours it is given follows NO_COLOR and FORCE_COLOR. */
function ownScreen(): Screen {
  const { stdout } = process;
  return {
    columns: stdout.isTTY ? stdout.columns || Number.POSITIVE_INFINITY : Number.POSITIVE_INFINITY,
    colored: styleText("bold", "x", { stream: stdout }) !== "x",
  };
}
