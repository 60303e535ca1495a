import { widthOf } from "./cell-text.ts";

/** Where progress is drawn: only at a terminal, and then in its last line. */
export type ProgressScreen = { isTTY?: boolean; columns?: number; write(text: string): unknown };

export type Progress = {
  /** How much is done now. `total` may become known on the way; `note` says what else is worth to be known. */
  at(done: number, more?: { total?: number | null; note?: string }): void;
  /** Takes the line away: what comes next is printed in its place. */
  end(): void;
};

/** The note of work that goes on in other hands, and of which nothing can be read at the moment. */
export const storeIsAway = "Redis does not answer at the moment, asking again";

/** Faster than that nobody reads. */
const redrawMs = 100;
const barColumns = 24;
const clearLine = "\r\u001b[K";

/**
 * A line on standard error that says how far long work is: with a bar and the time that is left where the total is known, with
 * a count otherwise. Where standard error is no terminal, nothing is written.
 */
export function createProgress(
  what: string,
  total: number | null = null,
  screen: ProgressScreen = process.stderr,
  nowMs: () => number = () => performance.now(),
): Progress {
  const beganMs = nowMs();
  let drawnMs = Number.NEGATIVE_INFINITY;
  let known = total;
  let isDrawn = false;
  return {
    at(done, { total: newTotal = known, note } = {}) {
      known = newTotal;
      if (screen.isTTY !== true || nowMs() - drawnMs < redrawMs) return;
      drawnMs = nowMs();
      isDrawn = true;
      const elapsedMs = drawnMs - beganMs;
      const columns = (screen.columns || 80) - 1;
      screen.write(`${clearLine}${fitting(what, partsOf(done, known, elapsedMs), note, columns)}`);
    },
    end() {
      if (isDrawn) screen.write(clearLine);
      isDrawn = false;
    },
  };
}

type Parts = { bar: string; count: string; left: string };

function partsOf(done: number, total: number | null, elapsedMs: number): Parts {
  if (total === null || total <= 0) return { bar: "", count: done.toLocaleString("en"), left: "" };
  const share = Math.min(1, done / total);
  const full = Math.floor(share * barColumns);
  const leftMs = done === 0 ? null : (elapsedMs / done) * Math.max(0, total - done);
  return {
    bar: `${"█".repeat(full)}${"░".repeat(barColumns - full)}`,
    count: `${done.toLocaleString("en")} of ${total.toLocaleString("en")} (${Math.floor(share * 100)} %)`,
    left: leftMs === null ? "" : `${timeText(leftMs)} left`,
  };
}

/** The line, without what a narrow terminal has no room for: it must not wrap, or it could not be taken back. */
function fitting(what: string, { bar, count, left }: Parts, note = "", columns: number): string {
  const variants = [
    [what, bar, count, left, note],
    [what, bar, count, left],
    [what, bar, count],
    [what, count],
    [count],
  ];
  const lines = variants.map((words) => words.filter((word) => word !== "").join("  "));
  return lines.find((line) => widthOf(line) <= columns) ?? "";
}

function timeText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}
