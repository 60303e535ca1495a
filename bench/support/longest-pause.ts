import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";

/**
 * The longest time for which the event loop came to nothing else: by the clock, where the machine may have been
 * busy with others, and what its thread itself worked in one turn (NaN where the system does not tell).
 */
export type Pause = { clockMs: number; ownMs: number };

const tickMs = 1;

/** Does a piece of work `count` times, one after the other, and watches the event loop meanwhile. */
export async function longestPause(work: () => Promise<unknown>, count: number): Promise<Pause> {
  const delay = monitorEventLoopDelay({ resolution: tickMs });
  delay.enable();
  await pause(3 * tickMs);
  delay.reset();
  let watching = true;
  let ownMs = 0;
  const watched = (async () => {
    for (let before = threadMs(); watching; ) {
      await nextTurn();
      const now = threadMs();
      ownMs = Math.max(ownMs, now - before);
      before = now;
    }
  })();
  for (let i = 0; i < count; i++) {
    await work();
    await nextTurn();
  }
  watching = false;
  await watched;
  await pause(3 * tickMs);
  delay.disable();
  return { clockMs: Math.max(0, delay.max / 1e6 - tickMs), ownMs: ownMs === 0 ? Number.NaN : ownMs };
}

/** CPU of this thread alone, Linux only: the others sign. */
function threadMs(): number {
  // Asked first, since this brings the kernel's own account up to date.
  process.cpuUsage();
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6;
  } catch {
    return 0;
  }
}

/** The median of all rounds, and the worst. */
export function reportPauses(name: string, pauses: readonly Pause[]): void {
  const said = (of: (pause: Pause) => number): string => {
    const sorted = pauses.map(of).sort((a, b) => a - b);
    const [median = Number.NaN, worst = Number.NaN] = [sorted[sorted.length >> 1], sorted.at(-1)];
    return `${median.toFixed(1)} (worst ${worst.toFixed(1)}) ms`;
  };
  console.log(
    `${name.padEnd(42)} own CPU ${said(({ ownMs }) => ownMs)}, by the clock ${said(({ clockMs }) => clockMs)}`,
  );
}
