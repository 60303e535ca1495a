import { PasswrightError } from "../errors.ts";
import { endResign } from "./drive.ts";
import { noSuchResign, type ResignTask, type ResignTaskStore, resignRecord } from "./resign-task.ts";

/**
 * Ends the task of a tenant where it is, whoever does it: that one can mark no pass any more. Passes that were marked stay so.
 * Rejects with not_found, and with invalid_state when it has ended before.
 */
export async function cancelResign(
  deps: { resignTasks: ResignTaskStore },
  { tenantId, by }: { tenantId: string; by: string },
): Promise<ResignTask> {
  const task = await deps.resignTasks.latest(tenantId);
  if (task === null) throw noSuchResign(tenantId);
  const record = resignRecord(task, { who: by, result: "done", details: { cancel: true } });
  const held = await deps.resignTasks.cancel(task.id, by, record);
  if (held === null) {
    const ended = (await deps.resignTasks.find(task.id)) ?? task;
    throw new PasswrightError("invalid_state", `It has ended already: it is ${ended.status}.`);
  }
  // Where somebody else cancelled it in the same moment, that one ends it.
  if (await deps.resignTasks.open(held)) await endResign(deps, held, { status: "cancelled", trouble: null });
  return (await deps.resignTasks.find(task.id)) ?? task;
}
