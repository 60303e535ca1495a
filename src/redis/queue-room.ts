import type { QueueRoom } from "../domain/jobs/queue-room.ts";
import { workClasses } from "../domain/jobs/work.ts";
import { asUnavailable } from "./connection.ts";
import { readCache } from "./read-cache.ts";
import type { StoreParts } from "./store.ts";

/** Pieces of work that may wait, and dead letters that may lie, in one partition. */
export type QueueLimits = { waiting: number; deadLetters: number };

const staleMs = 1000;

/**
 * Counts what waits, due retries included, and what was given up, once a second for each partition that is written to.
 * The upper half of the room is for others than the tenant to whom half of what waits belongs: one that floods the queue
 * fills it up for itself.
 */
export function createQueueRoom(
  { connection, keys }: Pick<StoreParts, "connection" | "keys">,
  limits: QueueLimits,
  { ttlMs } = { ttlMs: staleMs },
): QueueRoom {
  const depths = readCache<{ waiting: number; deadLetters: number }>(
    async (text) => {
      const partition = Number(text);
      const [deadLetters, delayed, ...ready] = await Promise.all([
        connection.xlen(keys.deadLetters(partition)),
        connection.zcard(keys.retry(partition)),
        ...workClasses.map((workClass) => connection.zcard(keys.ready(partition, workClass))),
      ]);
      return { deadLetters, waiting: ready.reduce((sum, count) => sum + count, delayed) };
    },
    { entries: keys.partitions, ttlMs },
  );

  /** The distance between a tenant's next turn and the one being served is what it has waiting. */
  const shares = readCache<{ waiting: number }>(
    async (tenantId) => {
      const partition = keys.partitionOf(tenantId);
      const counts = await Promise.all(
        workClasses.map(async (workClass) => {
          const [own, now] = await connection.hmget(keys.turns(partition, workClass), tenantId, "now");
          return Math.max(0, Number(own ?? 0) - Number(now ?? 0));
        }),
      );
      return { waiting: counts.reduce((sum, count) => sum + count, 0) };
    },
    { entries: 1000, ttlMs },
  );

  return async (tenantId) => {
    try {
      const depth = await depths.get(String(keys.partitionOf(tenantId)));
      if (depth === null) return "room";
      if (depth.deadLetters >= limits.deadLetters) return "dead_letters_full";
      if (depth.waiting >= limits.waiting) return "full";
      if (depth.waiting < limits.waiting / 2) return "room";
      const share = await shares.get(tenantId);
      return share !== null && share.waiting >= depth.waiting / 2 ? "share_full" : "room";
    } catch (error) {
      throw asUnavailable(error);
    }
  };
}
