import { type DeadLetterCounts, tallyLetters } from "./count.ts";
import type { DeadLetter, DeadLetterStore } from "./dead-letter.ts";
import { compareLetterIds, type DeadLetterFilter, lettersWithin, selectDeadLetters } from "./select.ts";

/** The first and the last letter of a partition that something is about. */
export type LetterRange = { first: string; last: string };

/** Which letters a filter meant when it was given. Those that die later never join, nor fill gaps that others left. */
export type LetterPlan = {
  filter: DeadLetterFilter;
  ranges: LetterRange[];
  /** Only these, in their order; null for all that match. */
  ids: readonly string[] | null;
  matched: number;
};

export type PlannedLetters = LetterPlan & {
  /** The one tenant that they are of, where the filter names it or all ids are that tenant's; else null. */
  tenantId: string | null;
  counts: DeadLetterCounts;
  /** Ids of the oldest. */
  sample: string[];
  /** Letters that would be refused as things stand, by reason. */
  obstacles: Record<string, number>;
};

/** Ids that a dry run names. */
const sampleSize = 10;

/** Resolves a filter to the letters that match at this moment: their number, and where they begin and end. */
export async function planLetters(
  deps: { deadLetters: DeadLetterStore },
  filter: DeadLetterFilter,
  replayLimit: number | null,
): Promise<PlannedLetters> {
  const selection = await selectDeadLetters(deps, filter);
  const counts = tallyLetters();
  const ranges = new Map<string, LetterRange>();
  const tenants = new Set<string>();
  const obstacles = new Map<string, number>();
  const sample: string[] = [];
  const ids: string[] = [];
  for await (const letter of selection.letters()) {
    counts.add(letter);
    extend(ranges, letter.id);
    // All that matters is whether there are two.
    if (tenants.size < 2) tenants.add(letter.tenantId);
    if (sample.length < sampleSize) sample.push(letter.id);
    if (filter.ids !== null) ids.push(letter.id);
    const obstacle = obstacleOf(letter, replayLimit);
    if (obstacle !== null) obstacles.set(obstacle, (obstacles.get(obstacle) ?? 0) + 1);
  }
  const [first = null] = tenants;
  const isNamed = filter.ids !== null && tenants.size === 1;
  return {
    filter,
    ranges: [...ranges.values()],
    ids: filter.ids === null ? null : ids,
    matched: counts.result().total,
    tenantId: filter.tenantId ?? (isNamed ? first : null),
    counts: counts.result(),
    sample,
    obstacles: Object.fromEntries(obstacles),
  };
}

/**
 * The letters of a plan that are still there, in their order. `cursors`: those before these are left out, each within its
 * partition.
 */
export function plannedLetters(
  deadLetters: Pick<DeadLetterStore, "between" | "spans" | "read" | "withFacts" | "find">,
  { filter, ranges, ids }: Omit<LetterPlan, "matched">,
  cursors: readonly string[] = [],
): AsyncGenerator<DeadLetter> {
  const cursorOf = new Map(cursors.map((id) => [id.slice(0, 2), id]));
  const begin = (id: string): string => cursorOf.get(id.slice(0, 2)) ?? id;
  const spans = ranges.map(({ first, last }) => deadLetters.between(begin(first), last));
  const remaining = ids?.filter((id) => compareLetterIds(id, begin(id)) >= 0) ?? null;
  return lettersWithin(deadLetters, { ids: remaining, spans }, filter);
}

function extend(ranges: Map<string, LetterRange>, id: string): void {
  const partition = id.slice(0, 2);
  const range = ranges.get(partition);
  if (range === undefined) ranges.set(partition, { first: id, last: id });
  else range.last = id;
}

/** Credits are not looked at: each letter that comes before takes one. */
function obstacleOf({ facts }: DeadLetter, replayLimit: number | null): string | null {
  if (facts === null) return "record_gone";
  if (facts.obstacle !== null) return facts.obstacle;
  return replayLimit !== null && facts.replays >= replayLimit ? "replay_limit" : null;
}
