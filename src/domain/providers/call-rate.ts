import type { Task } from "../jobs/work.ts";

/**
 * Whose call at a wallet it is, where the wallet takes only so many of an account in a time: each line moves by itself, so that
 * a long one is nobody else's. `waited`: its turn has come, as far as could be told before.
 */
export type CallPlace = { line: string; waited: boolean };

/** Each tenant has a line for what somebody waits for, and one for what its batches bring. */
export function placeOf({ tenantId, workClass, lane, record }: Task): CallPlace {
  return { line: `${tenantId} ${workClass}`, waited: record[`${lane}:lined`] !== undefined };
}

/** How many calls an account makes at a wallet, over all processes. Rejects with `unavailable` while the store is away. */
export type CallRate = {
  /** For each call, in order: 0 where it may be made now, or in how many milliseconds its turn comes. */
  take(account: string, places: readonly CallPlace[]): Promise<number[]>;
  /**
   * The wallet says that it is too much: nobody calls for the account for `askedMs`, or where it names no time for one that
   * grows. Answers for how many milliseconds that is.
   */
  hold(account: string, askedMs: number | null): Promise<number>;
};

/** For calls that are so few that nobody has to count them. */
export const unlimitedCalls: CallRate = {
  take: async (_account, places) => places.map(() => 0),
  hold: async (_account, askedMs) => askedMs ?? 0,
};
