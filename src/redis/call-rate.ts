import type { CallRate } from "../domain/providers/call-rate.ts";
import type { StoreParts } from "./store.ts";

/** Calls do not arrive exactly as they were made; so much longer than its own the window is. */
const slack = 1.05;

/** Into so many ticks a window is divided. */
const ticks = 100;

const firstHoldMs = 1000;
const longestHoldMs = 60_000;

/** However long a wallet asks to wait, within an hour it is asked again. */
const longestAskedMs = 3_600_000;

/** A sliding window in Redis, by Redis's clock, so that all workers count together: never more than so many calls within it. */
export function createCallRate(
  { keys, run }: Pick<StoreParts, "keys" | "run">,
  limit: { requests: number; windowMs: number },
): CallRate {
  const windowMs = limit.windowMs * slack;
  const tickMs = Math.max(1, Math.ceil(limit.windowMs / ticks));
  return {
    async take(account, places) {
      const waiting = places.flatMap(({ line, waited }) => [line, waited ? "1" : ""]);
      const args = [limit.requests, windowMs, tickMs, ...waiting];
      return (await run("take-call-turns", [keys.calls(account)], args)) as number[];
    },
    async hold(account, askedMs) {
      const asked = askedMs === null ? "" : Math.min(askedMs, longestAskedMs);
      const held = await run("hold-calls", [keys.calls(account)], [asked, firstHoldMs, longestHoldMs]);
      return held as number;
    },
  };
}
