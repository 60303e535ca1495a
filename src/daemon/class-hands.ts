import { performance } from "node:perf_hooks";
import type { Task, WorkClass } from "../domain/jobs/work.ts";

/** A hand in use for longer does nothing but wait for somebody's answer, and leaves the process its time. */
const workingMs = 1000;

/** How much of a class may be taken now, and of whose work nothing. */
export type Offer = { count: number; passOver: string[] };

/** The hands that a worker has for one class of work. */
export type ClassHands = {
  workClass: WorkClass;
  offer(): Offer;
  /** Keeps so many hands for work that is being asked for; call what it returns when it is there. */
  reserve(count: number): () => void;
  /** A hand begins with a piece of work; call what it returns when that is over. */
  begin(task: Pick<Task, "tenantId">): () => void;
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
  /** In the order in which they began. */
  const inUse = new Set<{ tenantId: string; sinceMs: number }>();
  let reserved = 0;

  function countWaiting(): number {
    const now = nowMs();
    let waiting = 0;
    for (const { sinceMs } of inUse) {
      if (now - sinceMs < workingMs) break;
      waiting += 1;
    }
    return waiting;
  }

  function tenantsWith(share: number): string[] {
    const counts = new Map<string, number>();
    for (const { tenantId } of inUse) counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= share).map(([tenantId]) => tenantId);
  }

  return {
    workClass,
    begin({ tenantId }) {
      const hand = { tenantId, sinceMs: nowMs() };
      inUse.add(hand);
      return () => inUse.delete(hand);
    },
    reserve(count) {
      reserved += count;
      return () => {
        reserved -= count;
      };
    },
    offer() {
      const busy = inUse.size + reserved;
      const waiting = countWaiting();
      const working = busy - waiting;
      // Hands that are kept for what may turn out to be nothing are no sign that more are needed.
      const hands = allowed(inUse.size - waiting);
      const free = Math.min(hands - working, most - busy);
      if (free > 0) return { count: free, passOver: [] };
      // Whose work those will be that are asked for is not known yet.
      if (reserved > 0) return { count: 0, passOver: [] };
      const share = Math.ceil(hands / 8);
      const reserve = Math.min(hands + Math.ceil(hands / 2) - working, most + Math.ceil(most / 2) - busy);
      const count = Math.max(0, Math.min(reserve, share));
      return { count, passOver: count === 0 ? [] : tenantsWith(share) };
    },
  };
}
