import type {
  HeldWork,
  QueuedWork,
  QueueFlow,
  QueueLook,
  WorkerPresence,
  WorkState,
} from "../domain/jobs/queue-look.ts";
import { isRecordKind, type WorkClass, workClasses } from "../domain/jobs/work.ts";
import { sumOfTimes } from "../domain/jobs/work-times.ts";
import { asUnavailable } from "./connection.ts";
import type { StoreParts } from "./store.ts";
import { consumerGroup } from "./task-names.ts";
import { timesFrom } from "./worker-roll.ts";

/** Workers that are shown; there are rarely more than a few. */
const mostWorkers = 200;

type Queue = { key: string; partition: number; workClass: WorkClass };
type Entry = [id: string, fields: string[] | null];

/** Looks at the fronts and the lengths of the queues: nothing here goes through all of one. */
export function createQueueLook({ connection, keys }: Pick<StoreParts, "connection" | "keys">): QueueLook {
  const queuesOf = (partitions: readonly number[]): Queue[] =>
    partitions.flatMap((partition) =>
      workClasses.map((workClass) => ({ key: keys.queue(partition, workClass), partition, workClass })),
    );

  async function activeIn({ key, workClass }: Queue, limit: number): Promise<QueuedWork[]> {
    const entries = await connection.xrange(key, "-", "+", "COUNT", limit);
    return entries.flatMap((entry) => workOf(entry, workClass) ?? []);
  }

  async function readyIn({ partition, workClass }: Queue, limit: number): Promise<QueuedWork[]> {
    const members = await connection.zrange(keys.ready(partition, workClass), "0", String(limit - 1));
    return members.flatMap((member) => memberOf(member, { state: "ready", workClass, atMs: null }) ?? []);
  }

  async function delayedIn({ partition, workClass }: Queue, limit: number): Promise<QueuedWork[]> {
    const scored = await connection.zrange(
      keys.delayed(partition, workClass),
      "0",
      String(limit - 1),
      "WITHSCORES",
    );
    return scored.flatMap((member, index) => {
      if (index % 2 === 1) return [];
      return memberOf(member, { state: "delayed", workClass, atMs: Number(scored[index + 1]) }) ?? [];
    });
  }

  /** The first of all partitions; where nothing says who came first, the partitions in turn. */
  async function firstOf(
    queues: readonly Queue[],
    read: (queue: Queue, limit: number) => Promise<QueuedWork[]>,
    limit: number,
  ): Promise<QueuedWork[]> {
    const all = (await Promise.all(queues.map((queue) => read(queue, limit)))).flat();
    return all.sort((a, b) => (a.atMs ?? 0) - (b.atMs ?? 0)).slice(0, limit);
  }

  async function counterOf(key: string): Promise<number> {
    try {
      const facts = (await connection.xinfo("STREAM", key)) as unknown[];
      return Number(facts[facts.indexOf("entries-added") + 1]);
    } catch (error) {
      // Nothing has ever come.
      if (error instanceof Error && error.message.includes("no such key")) return 0;
      throw error;
    }
  }

  async function sumOf(streams: readonly string[]): Promise<number> {
    return (await Promise.all(streams.map(counterOf))).reduce((sum, count) => sum + count, 0);
  }

  async function busyIn({ key, workClass }: Queue) {
    try {
      const consumers = (await connection.xinfo("CONSUMERS", key, consumerGroup)) as unknown[][];
      return consumers.map((facts) => ({
        workClass,
        name: String(facts[facts.indexOf("name") + 1]),
        pending: Number(facts[facts.indexOf("pending") + 1]),
        idleMs: Number(facts[facts.indexOf("idle") + 1]),
      }));
    } catch (error) {
      // No worker has ever been there.
      if (error instanceof Error && /no such key|NOGROUP/.test(error.message)) return [];
      throw error;
    }
  }

  async function heldIn(queue: Queue, worker: string, limit: number): Promise<HeldWork[]> {
    const pending = (await connection
      .xpending(queue.key, consumerGroup, "-", "+", limit, worker)
      .catch((error: unknown) => {
        if (error instanceof Error && /no such key|NOGROUP/.test(error.message)) return [];
        throw error;
      })) as [id: string, worker: string, silentMs: number, deliveries: number][];
    const held = pending.map(async ([id, , silentMs]) => {
      const [entry] = await connection.xrange(queue.key, id, id);
      const work = entry === undefined ? null : workOf(entry, queue.workClass);
      return work === null ? [] : [{ ...work, worker, silentMs }];
    });
    return (await Promise.all(held)).flat();
  }

  return {
    work: (limit) =>
      answered(async () => {
        const queues = queuesOf(keys.allPartitions);
        const states = [activeIn, readyIn, delayedIn].map((read) => firstOf(queues, read, limit));
        return (await Promise.all(states)).flat();
      }),

    workers: () =>
      answered(async () => {
        const [roll, busy] = await Promise.all([
          connection.zrevrange(keys.workers, 0, mostWorkers - 1, "WITHSCORES"),
          Promise.all(queuesOf(keys.allPartitions).map(busyIn)),
        ]);
        const workers = new Map<string, WorkerPresence>();
        for (let index = 0; index + 1 < roll.length; index += 2) {
          const name = roll[index] ?? "";
          const none = Object.fromEntries(workClasses.map((workClass) => [workClass, 0]));
          workers.set(name, {
            name,
            lastBeatMs: Number(roll[index + 1]),
            busy: none as WorkerPresence["busy"],
            renewedMs: null,
          });
        }
        for (const { name, workClass, pending, idleMs } of busy.flat()) {
          const worker = workers.get(name);
          if (worker === undefined || pending === 0) continue;
          worker.busy[workClass] += pending;
          worker.renewedMs = Math.max(worker.renewedMs ?? 0, idleMs);
        }
        return [...workers.values()];
      }),

    held: (worker, limit) =>
      answered(async () => {
        const held = await Promise.all(
          queuesOf(keys.allPartitions).map((queue) => heldIn(queue, worker, limit)),
        );
        return held
          .flat()
          .sort((a, b) => b.silentMs - a.silentMs)
          .slice(0, limit);
      }),

    times: (workers) =>
      answered(async () => {
        const texts = await Promise.all(workers.map((name) => connection.get(keys.workerTimes(name))));
        return sumOfTimes(texts.map(timesFrom).filter((times) => times !== null));
      }),

    flow: () =>
      answered(async () => {
        const streamsOf = (workClass: WorkClass): string[] =>
          keys.allPartitions.map((partition) => keys.queue(partition, workClass));
        const [events, deadLetters, ...taken] = await Promise.all([
          sumOf(keys.allPartitions.map((partition) => keys.outbox(partition))),
          sumOf(keys.allPartitions.map((partition) => keys.deadLetters(partition))),
          ...workClasses.map((workClass) => sumOf(streamsOf(workClass))),
        ]);
        const byClass = workClasses.map((workClass, index) => [workClass, taken[index] ?? 0]);
        return { taken: Object.fromEntries(byClass) as QueueFlow["taken"], events, deadLetters };
      }),
  };
}

function memberOf(
  member: string,
  place: { state: WorkState; workClass: WorkClass; atMs: number | null },
): QueuedWork | null {
  const [record = "", lane = ""] = member.split(" ");
  const [tenantId = "", kind = "", id = ""] = record.split(":");
  return isRecordKind(kind) ? { ...place, tenantId, kind, id, lane } : null;
}

function workOf([entry, fields]: Entry, workClass: WorkClass): QueuedWork | null {
  const [, record = "", , lane = ""] = fields ?? [];
  return memberOf(`${record} ${lane}`, { state: "active", workClass, atMs: Number(entry.split("-")[0]) });
}

async function answered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw asUnavailable(error);
  }
}
