import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../domain/log.ts";

/** One round of a loop; answers how long to wait until the next, in milliseconds. */
export type RunOnce = (signal: AbortSignal) => Promise<number>;

const firstPauseMs = 100;
const longestPauseMs = 1000;

/**
 * Runs a loop until `signal` is aborted. A failed round is logged, once for the same message in a row, and tried again after a growing pause:
 * a loop never ends by itself.
 */
export async function runLoop(name: string, runOnce: RunOnce, deps: { log: Log; signal: AbortSignal }) {
  const { log, signal } = deps;
  let pauseMs = firstPauseMs;
  let lastMessage = "";
  while (!signal.aborted) {
    let waitMs: number;
    try {
      waitMs = await runOnce(signal);
      if (lastMessage !== "") log.info({ loop: name }, "loop.recovered");
      pauseMs = firstPauseMs;
      lastMessage = "";
    } catch (error) {
      if (signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      if (message !== lastMessage) log.warn({ loop: name, err: error }, "loop.failed");
      lastMessage = message;
      waitMs = pauseMs;
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
    if (waitMs > 0) await delay(waitMs, undefined, { signal }).catch(() => {});
  }
}
