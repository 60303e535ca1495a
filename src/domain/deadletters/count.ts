import { isoInstant } from "../clock.ts";
import type { DeadLetter } from "./dead-letter.ts";
import type { Selection } from "./select.ts";

export type DeadLetterCounts = {
  total: number;
  by_kind: Record<string, number>;
  by_reason: Record<string, number>;
  oldest: string | null;
  newest: string | null;
};

/** How many letters there are of each kind and reason; reasons in the order of their numbers. */
export async function countDeadLetters(selection: Selection): Promise<DeadLetterCounts> {
  const counts = tallyLetters();
  for await (const letter of selection.letters()) counts.add(letter);
  return counts.result();
}

/** Counts letters that come one by one, oldest first. */
export function tallyLetters() {
  const kinds = new Map<string, number>();
  const reasons = new Map<string, number>();
  let total = 0;
  let oldest: string | null = null;
  let newest: string | null = null;
  return {
    add(letter: DeadLetter): void {
      total += 1;
      kinds.set(letter.kind, (kinds.get(letter.kind) ?? 0) + 1);
      reasons.set(letter.reason, (reasons.get(letter.reason) ?? 0) + 1);
      newest = isoInstant(letter.deadAtMs);
      oldest ??= newest;
    },
    result(): DeadLetterCounts {
      const sorted = [...reasons].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
      return {
        total,
        by_kind: Object.fromEntries(kinds),
        by_reason: Object.fromEntries(sorted),
        oldest,
        newest,
      };
    },
  };
}
