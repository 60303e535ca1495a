import type { QueueRoom } from "../domain/jobs/queue-room.ts";
import { workClasses } from "../domain/jobs/work.ts";
import { asUnavailable } from "./connection.ts";
import { readCache } from "./read-cache.ts";
import type { StoreParts } from "./store.ts";

/** Pieces of work that may wait, and dead letters that may lie, in one partition. */
export type QueueLimits = { waiting: number; deadLetters: number };

const staleMs = 1000;

/** Of each set: enough to tell who has half of it from who has a third. */
const sampleSize = 100;

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
      const [deadLetters, ...counts] = await Promise.all([
        connection.xlen(keys.deadLetters(partition)),
        ...workClasses.map((workClass) => connection.zcard(keys.ready(partition, workClass))),
        ...workClasses.map((workClass) => connection.zcard(keys.delayed(partition, workClass))),
      ]);
      return { deadLetters, waiting: counts.reduce((sum, count) => sum + count, 0) };
    },
    { entries: keys.partitions, ttlMs },
  );

  /** What waits in a partition: of each set how many, and some of them, drawn at random. */
  const samples = readCache<{ count: number; members: string[] }[]>(
    async (text) => {
      const partition = Number(text);
      const sets = workClasses.flatMap((workClass) => [
        keys.ready(partition, workClass),
        keys.delayed(partition, workClass),
      ]);
      return Promise.all(
        sets.map(async (key) => {
          const [count, members] = await Promise.all([
            connection.zcard(key),
            connection.zrandmember(key, sampleSize),
          ]);
          return { count, members };
        }),
      );
    },
    { entries: keys.partitions, ttlMs },
  );

  /** About which part of what waits in its partition is the tenant's. */
  async function shareOf(tenantId: string): Promise<number> {
    let [own, all] = [0, 0];
    for (const { count, members } of (await samples.get(String(keys.partitionOf(tenantId)))) ?? []) {
      const found = members.filter((member) => member.includes(`${tenantId}:`)).length;
      own += (count * found) / Math.max(1, members.length);
      all += count;
    }
    return all === 0 ? 0 : own / all;
  }

  return async (tenantId) => {
    try {
      const depth = await depths.get(String(keys.partitionOf(tenantId)));
      if (depth === null) return "room";
      if (depth.deadLetters >= limits.deadLetters) return "dead_letters_full";
      if (depth.waiting >= limits.waiting) return "full";
      if (depth.waiting < limits.waiting / 2) return "room";
      return (await shareOf(tenantId)) >= 0.5 ? "share_full" : "room";
    } catch (error) {
      throw asUnavailable(error);
    }
  };
}
