import { monitorEventLoopDelay, performance } from "node:perf_hooks";

/** Hands for work that can wait. */
export type SpareHands = {
  /** How many may be in use now, given that `inUse` are. */
  allowed(inUse: number): number;
};

/**
 * How late the event loop may be for what comes next. Urgent work takes some ten turns of the loop, so it ends a fraction
 * of a second later than on an idle worker, and not more.
 */
const tolerableDelayMs = 20;
const measureMs = 100;

/**
 * Lets work that can wait have as many hands as the process has time for, from `least` to `most`. Hands that wait for
 * somebody's answer cost nothing, so more are given as long as they are used and the event loop is in time. Hands that
 * compute stand in everybody's way: with many of them in use, each step of urgent work would wait for a turn of each.
 * `delayMs` answers how late the loop has been since it was last called.
 */
export function createSpareHands(options: {
  least: number;
  most: number;
  /** How many at the beginning. */
  first?: number;
  delayMs(): number;
  nowMs?: () => number;
}): SpareHands {
  const { least, most, first = least, delayMs, nowMs = () => performance.now() } = options;
  let allowed = first;
  let measuredAt = nowMs();
  let wereAllInUse = false;
  return {
    allowed(inUse) {
      wereAllInUse ||= inUse >= allowed;
      const now = nowMs();
      if (now - measuredAt < measureMs) return allowed;
      measuredAt = now;
      if (delayMs() > tolerableDelayMs) allowed = Math.max(least, Math.floor(allowed * 0.75));
      else if (wereAllInUse) allowed = Math.min(most, allowed + Math.ceil(allowed / 4));
      wereAllInUse = false;
      return allowed;
    },
  };
}

/** Measures how late the event loop is, on average since the last call. */
export function eventLoopDelay(): () => number {
  const resolutionMs = 10;
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  // Sums and differences instead of reset(), which forgets the turn that goes on: of all turns the one that matters.
  let [countBefore, sumBefore, askedAt] = [0, 0, performance.now()];
  return () => {
    const count = Number(delays.count);
    const sum = count === 0 ? 0 : delays.mean * count;
    const now = performance.now();
    const [turns, total, sinceMs] = [count - countBefore, sum - sumBefore, now - askedAt];
    [countBefore, sumBefore, askedAt] = [count, sum, now];
    return (turns === 0 ? sinceMs : total / turns / 1e6) - resolutionMs;
  };
}
