import { PasswrightError } from "../errors.ts";
import { carryReplay } from "./carry-replay.ts";
import type { DriveDeps } from "./drive-replay.ts";
import { noSuchReplay, type ReplayTask } from "./replay-task.ts";

/**
 * Ends a replay where it is, whoever drives it: that one can move no letter any more. What was moved stays moved. Answers
 * with the task as it ended. Rejects with not_found, and with invalid_state when it has ended before.
 */
export async function cancelReplay(
  deps: DriveDeps,
  input: { id: string; by: string; signal: AbortSignal },
): Promise<ReplayTask> {
  const { id, by, signal } = input;
  const task = await deps.replayTasks.find(id);
  if (task === null) throw noSuchReplay(id);
  const held = await deps.replayTasks.cancel(id, by, {
    who: by,
    action: "deadletter.cancel",
    tenant_id: task.tenantId,
    target: { type: "replay", id },
    result: "done",
    details: {},
  });
  if (held === null) {
    const ended = (await deps.replayTasks.find(id)) ?? task;
    throw new PasswrightError("invalid_state", `The replay ${id} has ended already: it is ${ended.status}.`);
  }
  return carryReplay(deps, id, { held, signal });
}
