/** Time as a parameter: everything that needs the present asks a Clock, so that tests choose it. */
export type Clock = { nowMs(): number };

export const systemClock: Clock = { nowMs: () => Date.now() };

/** An instant as every response writes it: ISO 8601, UTC, with milliseconds. */
export function isoInstant(ms: number): string {
  return new Date(ms).toISOString();
}
