import type { Task } from "../jobs/work.ts";

/** Forgets a task without carrying it out. False: the lease was lost. */
export type DropTask = (task: Task) => Promise<boolean>;

/** Carries out work, except that of tenants which are deleted or being deleted: that is dropped as «gone». */
export function exceptOfGoneTenants(
  deps: { tenantIsGone(tenantId: string): Promise<boolean>; dropTask: DropTask },
  carryOut: (task: Task, signal: AbortSignal) => Promise<Record<string, unknown>>,
): (task: Task, signal: AbortSignal) => Promise<Record<string, unknown>> {
  return async (task, signal) => {
    if (!(await deps.tenantIsGone(task.tenantId))) return carryOut(task, signal);
    return { outcome: (await deps.dropTask(task)) ? "gone" : "lost" };
  };
}
