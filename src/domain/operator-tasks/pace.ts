import type { Clock } from "../clock.ts";

/** Waits, or ends early when the signal is aborted; does not reject. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<unknown>;

/** What came too late is made up for, but only so much of it: a rate that was missed for a minute is no reason for a flood. */
const catchUpMs = 100;

/** Lets so many pass in a second (null: all at once). What is answered waits for the turn of the next `count`. */
export function createPace({ clock, pause }: { clock: Clock; pause: Pause }, rate: number | null) {
  let dueAtMs = clock.nowMs();
  return async (signal: AbortSignal, count = 1): Promise<void> => {
    if (rate === null) return;
    const waitMs = dueAtMs - clock.nowMs();
    if (waitMs > 0) await pause(waitMs, signal);
    dueAtMs = Math.max(dueAtMs, clock.nowMs() - catchUpMs) + (1000 * count) / rate;
  };
}
