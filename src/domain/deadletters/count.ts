import { isoInstant } from "../clock.ts";
import type { DeadLetter, DeadLetterStore } from "./dead-letter.ts";
import { type DeadLetterFilter, isEveryLetter, selectDeadLetters } from "./select.ts";

export type DeadLetterCounts = {
  total: number;
  by_kind: Record<string, number>;
  by_reason: Record<string, number>;
  oldest: string | null;
  newest: string | null;
};

/**
 * How many letters match, of each kind and reason; reasons in the order of their numbers. Of all that there are the store
 * keeps the numbers; those of a filter are counted one by one.
 */
export async function countDeadLetters(
  deps: { deadLetters: Pick<DeadLetterStore, "totals" | "spans" | "read" | "withFacts" | "find"> },
  filter: DeadLetterFilter,
): Promise<DeadLetterCounts> {
  if (isEveryLetter(filter)) {
    const { kinds, reasons, oldestMs, newestMs } = await deps.deadLetters.totals();
    return {
      total: Object.values(kinds).reduce((sum, count) => sum + count, 0),
      by_kind: kinds,
      by_reason: byNumber(Object.entries(reasons)),
      oldest: oldestMs === null ? null : isoInstant(oldestMs),
      newest: newestMs === null ? null : isoInstant(newestMs),
    };
  }
  const counts = tallyLetters();
  for await (const letters of (await selectDeadLetters(deps, filter)).stretches()) {
    for (const letter of letters) counts.add(letter);
  }
  return counts.result();
}

/** Counts letters that come one by one. */
export function tallyLetters() {
  const kinds = new Map<string, number>();
  const reasons = new Map<string, number>();
  let total = 0;
  let oldestMs = Number.POSITIVE_INFINITY;
  let newestMs = 0;
  return {
    add(letter: DeadLetter): void {
      total += 1;
      kinds.set(letter.kind, (kinds.get(letter.kind) ?? 0) + 1);
      reasons.set(letter.reason, (reasons.get(letter.reason) ?? 0) + 1);
      oldestMs = Math.min(oldestMs, letter.deadAtMs);
      newestMs = Math.max(newestMs, letter.deadAtMs);
    },
    result(): DeadLetterCounts {
      return {
        total,
        by_kind: Object.fromEntries(kinds),
        by_reason: byNumber([...reasons]),
        oldest: total === 0 ? null : isoInstant(oldestMs),
        newest: total === 0 ? null : isoInstant(newestMs),
      };
    },
  };
}

function byNumber(reasons: [reason: string, count: number][]): Record<string, number> {
  return Object.fromEntries(reasons.sort(([a, of], [b, more]) => more - of || (a < b ? -1 : 1)));
}
