import { untilOver } from "../operator-tasks/until-over.ts";
import { type DriveDeps, driveReplay } from "./drive-replay.ts";
import { type HeldReplay, noSuchReplay, type ReplayCount, type ReplayTask } from "./replay-task.ts";

/**
 * Sees to it that a task comes to its end: drives it, or looks on while somebody else does and takes it when that one falls
 * silent, also past a store that is away for a while. Answers with the task as it then is; when `signal` is aborted, as it is
 * left. Rejects with not_found, and with unavailable.
 */
export async function carryReplay(
  deps: DriveDeps,
  id: string,
  options: {
    /** The caller may have it in hand already. */
    held?: HeldReplay;
    signal: AbortSignal;
    onProgress?(count: ReplayCount): void;
    /** Called when somebody else drives it. */
    onLook?(task: ReplayTask): void;
    /** Called when the store does not answer: the next look may find it. */
    onAway?(): void;
  },
): Promise<ReplayTask> {
  const { signal } = options;
  let given = options.held ?? null;
  return untilOver(deps.pause, options, async () => {
    const held = given ?? (signal.aborted ? null : await deps.replayTasks.take(id));
    given = null;
    if (held !== null) await driveReplay(deps, held, options);
    const task = await deps.replayTasks.find(id);
    if (task === null) throw noSuchReplay(id);
    if (task.status !== "running" || signal.aborted) return task;
    options.onLook?.(task);
    return null;
  });
}
