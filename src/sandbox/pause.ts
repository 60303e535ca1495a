import { setTimeout as wait } from "node:timers/promises";

/** Waits `ms` milliseconds; rejects at once when `signal` aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await wait(ms, undefined, { signal });
}
