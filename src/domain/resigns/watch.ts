import type { Pause } from "../operator-tasks/pace.ts";
import { untilOver } from "../operator-tasks/until-over.ts";
import { noSuchResign, type ResignTask, type ResignTaskStore } from "./resign-task.ts";

/**
 * Looks on while workers do a task, also past a store that is away for a while; answers with it as it ends, or as it is when
 * `signal` is aborted.
 */
export async function watchResign(
  deps: { resignTasks: Pick<ResignTaskStore, "find">; pause: Pause },
  { id, tenantId }: Pick<ResignTask, "id" | "tenantId">,
  { onLook, ...options }: { signal: AbortSignal; onLook(task: ResignTask): void; onAway?(): void },
): Promise<ResignTask> {
  return untilOver(deps.pause, options, async () => {
    const task = await deps.resignTasks.find(id);
    if (task === null) throw noSuchResign(tenantId);
    if (task.status !== "running" || options.signal.aborted) return task;
    onLook(task);
    return null;
  });
}
