import { type DriveDeps, driveReplay } from "./drive-replay.ts";
import { type HeldReplay, noSuchReplay, type ReplayCount, type ReplayTask } from "./replay-task.ts";

/** How often somebody who only looks on looks. */
const lookMs = 500;

/**
 * Sees to it that a task comes to its end: drives it, or looks on while somebody else does and takes it when that one falls
 * silent. Answers with the task as it then is; when `signal` is aborted, as it is left. Rejects with not_found.
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
  },
): Promise<ReplayTask> {
  const { signal } = options;
  let held = options.held ?? null;
  for (;;) {
    held ??= signal.aborted ? null : await deps.replayTasks.take(id);
    if (held !== null) await driveReplay(deps, held, options);
    held = null;
    const task = await deps.replayTasks.find(id);
    if (task === null) throw noSuchReplay(id);
    if (task.status !== "running" || signal.aborted) return task;
    options.onLook?.(task);
    await deps.pause(lookMs, signal);
  }
}
