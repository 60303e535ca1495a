import { Flags } from "@oclif/core";

/** What a list shows where nothing else is asked for. */
export const defaultLimit = 100;

const description = `how many at most (else ${defaultLimit})`;

/** So many at most, of a list that is gone through to find them. */
export const boundedLimitFlag = Flags.integer({
  description: "how many at most",
  default: defaultLimit,
  min: 1,
  max: 10_000,
  helpValue: "N",
});

/** How much of a list that may be long is shown: the first hundred, so many, or all of it. */
export const listLimitFlags = {
  limit: Flags.integer({ description, min: 1, helpValue: "N", exclusive: ["all"] }),
  all: Flags.boolean({ description: "all there are" }),
};

export function limitOf({ limit, all }: { limit?: number | undefined; all: boolean }): number {
  return all ? Number.POSITIVE_INFINITY : (limit ?? defaultLimit);
}

/** The page that a limit asks for. */
export function pageOf(limit: number): { page: number; pageSize: number } {
  return { page: 1, pageSize: Math.min(limit, Number.MAX_SAFE_INTEGER) };
}

/** Says that a list goes on: on standard error, since standard output is for what was asked. */
export function tellOfMore(shown: number, more: string): void {
  process.stderr.write(`${shown} are shown, and there are more: ${more}\n`);
}

/** Says that a list goes on, where one more than its limit was found. */
export function tellIfMore(found: readonly unknown[], limit: number): void {
  if (found.length > limit) tellOfMore(limit, "--limit N shows them.");
}

/** The first `limit` of what comes. */
export function firstOf<Item>(items: AsyncIterable<Item>, limit: number) {
  let hasMore = false;
  async function* first(): AsyncGenerator<Item> {
    let count = 0;
    for await (const item of items) {
      hasMore = count >= limit;
      if (hasMore) return;
      yield item;
      count += 1;
    }
  }
  return {
    items: first(),
    /** Known at the end: whether something came behind them. */
    hasMore: (): boolean => hasMore,
  };
}
