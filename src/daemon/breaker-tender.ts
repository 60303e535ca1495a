import type { Log } from "../domain/log.ts";
import type { Breakers } from "../domain/webhooks/breaker.ts";
import type { RunOnce } from "./loop.ts";

/** A breaker that opened, or closed, somewhere else is known here within this time. */
const longestMs = 500;
const shortestMs = 20;

/** Probes endpoints whose breaker is open, and gives what was parked for them back to the queue, or up. */
export function tendBreakers(deps: { breakers: Breakers; nowMs(): number; log: Log }): RunOnce {
  const { breakers, nowMs, log } = deps;
  return async () => {
    const { nextDueAtMs, ...done } = await breakers.tend(nowMs());
    if (done.buried > 0) log.warn(done, "breakers.tended");
    else if (done.released > 0 || done.probes > 0) log.info(done, "breakers.tended");
    if (nextDueAtMs === null) return longestMs;
    return Math.min(Math.max(nextDueAtMs - nowMs(), shortestMs), longestMs);
  };
}
