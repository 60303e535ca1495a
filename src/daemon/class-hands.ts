import { performance } from "node:perf_hooks";
import type { Task, WorkClass } from "../domain/jobs/work.ts";

/** A hand in use for longer does nothing but wait for somebody's answer, and leaves the process its time. */
const workingMs = 1000;

export type Held = { task: Pick<Task, "workClass" | "tenantId">; sinceMs: number };

/** How much of a class may be taken now, and whose work is not to be touched. */
export type Offer = { count: number; passOver: string[] };

/** The hands that a worker has for one class of work. */
export type ClassHands = {
  workClass: WorkClass;
  offer(held: Iterable<Held>): Offer;
};

/**
 * Each class has hands of its own, so that none waits for another's; and where all of them are in use, half as many again
 * for tenants that have few, so that nobody waits for the end of somebody else's slow work. A tenant that is alone may have
 * all of the first, and leaves the others the rest. `allowed` says how many of the `most` hands the process has the time
 * for, given how many are at work.
 */
export function createClassHands(options: {
  workClass: WorkClass;
  most: number;
  allowed?: (working: number) => number;
  nowMs?: () => number;
}): ClassHands {
  const { workClass, most, allowed = () => most, nowMs = () => performance.now() } = options;

  function count(held: Iterable<Held>) {
    const now = nowMs();
    const byTenant = new Map<string, number>();
    let [inUse, working] = [0, 0];
    for (const { task, sinceMs } of held) {
      if (task.workClass !== workClass) continue;
      inUse += 1;
      if (now - sinceMs < workingMs) working += 1;
      byTenant.set(task.tenantId, (byTenant.get(task.tenantId) ?? 0) + 1);
    }
    const hands = allowed(working);
    return { byTenant, hands, working, inUse, free: Math.min(hands - working, most - inUse) };
  }

  return {
    workClass,
    offer(held) {
      const { byTenant, hands, working, inUse, free } = count(held);
      if (free > 0) return { count: free, passOver: [] };
      const share = Math.ceil(hands / 8);
      const passOver = [...byTenant].filter(([, own]) => own >= share).map(([tenantId]) => tenantId);
      const reserve = Math.min(hands + Math.ceil(hands / 2) - working, most + Math.ceil(most / 2) - inUse);
      return { count: Math.max(0, Math.min(reserve, share)), passOver };
    },
  };
}
