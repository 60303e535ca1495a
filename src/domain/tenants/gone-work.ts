import type { Concluded, Task } from "../jobs/work.ts";
import { persistently } from "../persistently.ts";

/** Whether a tenant is deleted, or being deleted; at once where that is known. */
export type TenantGoneCheck = (tenantId: string) => boolean | Promise<boolean>;

/** Forgets a task without carrying it out. False: the lease was lost. */
export type DropTask = (task: Task) => Promise<boolean>;

/**
 * Carries out work, except that of tenants which are deleted or being deleted: that is dropped as «gone». While the store
 * cannot say which it is, the work waits: given up, it would have cost an attempt that nobody made.
 */
export function exceptOfGoneTenants(
  deps: { tenantIsGone: TenantGoneCheck; dropTask: DropTask },
  carryOut: (task: Task, signal: AbortSignal, concluded?: Concluded) => Promise<Record<string, unknown>>,
): typeof carryOut {
  return async (task, signal, concluded) => {
    const isGone = await persistently(() => deps.tenantIsGone(task.tenantId), signal);
    if (!isGone) return carryOut(task, signal, concluded);
    return { outcome: (await persistently(() => deps.dropTask(task), signal)) ? "gone" : "lost" };
  };
}
