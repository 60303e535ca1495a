/** Counts the requests of tenants, so that operators see who asks how much. Nothing depends on it. */
export type RequestCounter = {
  /** Costs next to nothing: it is only noted. */
  count(tenantId: string): void;
  /** Writes down what was noted since. Rejects without Redis; those requests are counted no more. */
  write(): Promise<void>;
};

/** Requests of the minute before `nowMs`, by what was counted in this calendar minute and in the one before. */
export function requestsAMinute(counted: { thisMinute: number; before: number }, nowMs: number): number {
  const shareLeft = 1 - (nowMs % 60_000) / 60_000;
  return Math.round(counted.thisMinute + counted.before * shareLeft);
}
