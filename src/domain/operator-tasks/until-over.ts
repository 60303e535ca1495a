import { PasswrightError } from "../errors.ts";
import type { Pause } from "./pace.ts";

/** How often somebody who only looks on looks. */
const lookMs = 500;

/** So many looks in a row may find the store away; a minute, about. */
const mostMisses = 60;

/**
 * Takes one step after the other until one answers with what the task ended as. A store that does not answer is no end: the
 * task goes on in other hands, so it is asked again, and `onAway` is told. Rejects with `unavailable` after about a minute of
 * that, or when `signal` is aborted meanwhile; and with whatever else a step rejects with.
 */
export async function untilOver<Task>(
  pause: Pause,
  { signal, onAway }: { signal: AbortSignal; onAway?(): void },
  step: () => Promise<Task | null>,
): Promise<Task> {
  for (let misses = 0; ; ) {
    try {
      const task = await step();
      if (task !== null) return task;
      misses = 0;
    } catch (error) {
      const isAway = error instanceof PasswrightError && error.code === "unavailable";
      misses += 1;
      if (!isAway || signal.aborted || misses > mostMisses) throw error;
      onAway?.();
    }
    await pause(lookMs, signal);
  }
}
