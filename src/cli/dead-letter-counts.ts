import type { DeadLetterCounts } from "../domain/deadletters/count.ts";
import { factLines, tableLines } from "./table.ts";

/** Counts for people: the facts, then a table of reasons. */
export function countLines(counts: DeadLetterCounts): string[] {
  const { total, by_kind: kinds, by_reason: reasons, oldest, newest } = counts;
  const facts = factLines({ total, ...kinds, ...(oldest !== null && newest !== null && { oldest, newest }) });
  return total === 0 ? facts : [...facts, "", ...tableLines(["reason", "letters"], Object.entries(reasons))];
}
