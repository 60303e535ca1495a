import type { Clock } from "../clock.ts";
import { type TaskOutcome, whileHeld } from "../operator-tasks/held-task.ts";
import { createPace, type Pause } from "../operator-tasks/pace.ts";
import type { DeadLetterStore, ReplayOutcome } from "./dead-letter.ts";
import { plannedLetters } from "./plan.ts";
import {
  dealtWith,
  type HeldReplay,
  type ReplayCount,
  type ReplayTaskStore,
  refusedShown,
  replayRequest,
} from "./replay-task.ts";

export type DriveDeps = {
  deadLetters: Pick<DeadLetterStore, "replay" | "between" | "read" | "withFacts" | "find" | "spans">;
  replayTasks: ReplayTaskStore;
  clock: Clock;
  pause: Pause;
};

/**
 * Replays the letters of a task that is in one's hands, one after the other, from where it was left to its end. `lost`:
 * somebody else has taken it. `left`: `signal` was aborted, and it is free for others. Rejects with `unavailable` without
 * Redis; then the hold runs out, and others may go on. Each letter is replayed and counted in one step, so nothing is lost or
 * counted twice whenever this ends.
 */
export async function driveReplay(
  deps: DriveDeps,
  held: HeldReplay,
  options: { signal: AbortSignal; onProgress?(count: ReplayCount): void },
): Promise<TaskOutcome> {
  return whileHeld(deps.replayTasks, held, options.signal, (signal) =>
    replayLetters(deps, held, { ...options, signal }),
  );
}

async function replayLetters(
  deps: DriveDeps,
  held: HeldReplay,
  { signal, onProgress }: { signal: AbortSignal; onProgress?(count: ReplayCount): void },
): Promise<"finished" | "lost" | "stopped"> {
  const { task, fence } = held;
  const state = await deps.replayTasks.open(held);
  if (state === null) return "lost";
  if (task.cancelledBy !== null) return end(deps, held, "cancelled");
  const step = { taskId: task.id, fence, limit: task.replayLimit };
  const pace = createPace(deps, task.rate);
  const plan = { ...task, ids: state.ids };
  // The letter at a cursor comes again where it was refused, and so stays, and is known to be counted.
  for await (const letter of plannedLetters(deps.deadLetters, plan, state.cursors)) {
    await pace(signal);
    if (signal.aborted) return "stopped";
    const outcome = await deps.deadLetters.replay(letter, step);
    if (outcome === "lost") return "lost";
    if (outcome === "counted") continue;
    add(state.count, letter.id, outcome);
    onProgress?.(state.count);
  }
  return signal.aborted ? "stopped" : end(deps, held, "completed");
}

async function end(
  deps: DriveDeps,
  held: HeldReplay,
  status: "completed" | "cancelled",
): Promise<"finished" | "lost"> {
  const { task } = held;
  const count = await deps.replayTasks.count(task);
  if (status === "completed") {
    // Letters that went before they were reached were dealt with by others, too.
    count.already_gone += Math.max(0, task.matched - dealtWith(count));
  }
  const { refused_ids: _, ...counts } = count;
  const isOurs = await deps.replayTasks.finish(
    held,
    { status, count },
    {
      who: task.cancelledBy ?? task.requestedBy,
      action: "deadletter.replay",
      tenant_id: task.tenantId,
      target: { type: "replay", id: task.id },
      result: status === "completed" ? "done" : "cancelled",
      details: { ...replayRequest(task), ...counts },
    },
  );
  return isOurs ? "finished" : "lost";
}

function add(count: ReplayCount, id: string, outcome: Exclude<ReplayOutcome, "lost" | "counted">): void {
  if (outcome === "replayed" || outcome === "overtaken") count[outcome] += 1;
  else if (outcome === "missing") count.already_gone += 1;
  else {
    count.refused[outcome] = (count.refused[outcome] ?? 0) + 1;
    if (count.refused_ids.length < refusedShown) count.refused_ids.push({ id, reason: outcome });
  }
}
