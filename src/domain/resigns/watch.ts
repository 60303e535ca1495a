import type { Pause } from "../operator-tasks/pace.ts";
import { noSuchResign, type ResignTask, type ResignTaskStore } from "./resign-task.ts";

/** How often somebody who looks on looks. */
const lookMs = 500;

/** Looks on while workers do a task; answers with it as it ends, or as it is when `signal` is aborted. */
export async function watchResign(
  deps: { resignTasks: Pick<ResignTaskStore, "find">; pause: Pause },
  { id, tenantId }: Pick<ResignTask, "id" | "tenantId">,
  { signal, onLook }: { signal: AbortSignal; onLook(task: ResignTask): void },
): Promise<ResignTask> {
  for (;;) {
    const task = await deps.resignTasks.find(id);
    if (task === null) throw noSuchResign(tenantId);
    if (task.status !== "running" || signal.aborted) return task;
    onLook(task);
    await deps.pause(lookMs, signal);
  }
}
