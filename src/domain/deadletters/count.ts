import { isoInstant } from "../clock.ts";
import type { DeadLetter, DeadLetterStore, LetterTally, Span } from "./dead-letter.ts";
import { type DeadLetterFilter, isByEntry, isEveryLetter, selectDeadLetters } from "./select.ts";

export type DeadLetterCounts = {
  total: number;
  by_kind: Record<string, number>;
  by_reason: Record<string, number>;
  oldest: string | null;
  newest: string | null;
};

/**
 * How many letters match, of each kind and reason; reasons in the order of their numbers. Of all that there are the store
 * keeps the numbers; of a filter that asks for no more than letters say themselves it counts them, a stretch at a time; any
 * others are read one by one.
 */
export async function countDeadLetters(
  deps: { deadLetters: Pick<DeadLetterStore, "totals" | "spans" | "tally" | "read" | "withFacts" | "find"> },
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
  if (isByEntry(filter)) {
    for (let at of (await deps.deadLetters.spans(filter)) as (Span | null)[]) {
      while (at !== null) {
        const counted: Awaited<ReturnType<DeadLetterStore["tally"]>> = await deps.deadLetters.tally(
          at,
          filter,
        );
        for (const tally of counted.tallies) counts.addTally(tally);
        at = counted.rest;
      }
    }
    return counts.result();
  }
  for await (const letter of (await selectDeadLetters(deps, filter)).letters()) counts.add(letter);
  return counts.result();
}

/** Counts letters that come one by one, or already counted. */
export function tallyLetters() {
  const kinds = new Map<string, number>();
  const reasons = new Map<string, number>();
  let total = 0;
  let oldestMs = Number.POSITIVE_INFINITY;
  let newestMs = 0;
  const addTally = (tally: LetterTally): void => {
    total += tally.count;
    kinds.set(tally.kind, (kinds.get(tally.kind) ?? 0) + tally.count);
    reasons.set(tally.reason, (reasons.get(tally.reason) ?? 0) + tally.count);
    oldestMs = Math.min(oldestMs, tally.oldestMs);
    newestMs = Math.max(newestMs, tally.newestMs);
  };
  return {
    addTally,
    add: ({ kind, reason, deadAtMs }: DeadLetter): void =>
      addTally({ kind, reason, count: 1, oldestMs: deadAtMs, newestMs: deadAtMs }),
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
