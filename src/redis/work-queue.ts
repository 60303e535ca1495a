import {
  type ClaimOptions,
  isRecordKind,
  type Task,
  type WorkClass,
  type WorkQueue,
  workClasses,
} from "../domain/jobs/work.ts";
import { asUnavailable } from "./connection.ts";
import type { StoreParts } from "./store.ts";
import { consumerGroup, recordName } from "./task-names.ts";

type ClaimedEntry = [
  queueIndex: number,
  entry: string,
  record: string,
  lane: string,
  attempt: number,
  facts: Record<string, string>,
];

/** Open records that the reconciler looks at in one step. */
const lookedAtOnce = 100;

/** Names of workers that have been silent for so long are dropped. */
export const silentForMs = 3_600_000;

/**
 * The queue on Redis. What waits is a member of a sorted set, in the turn of its tenant; what somebody has taken is an
 * entry of a stream, whose id is the lease. Whatever is taken anew gets a new entry, so an old lease can never settle
 * anything.
 */
export function createWorkQueue(
  { connection, keys, run }: StoreParts,
  options: { consumer: string; leaseMs: number; nowMs(): number; silentForMs?: number },
): WorkQueue & { ensureGroups(): Promise<void> } {
  const queuesOf = (partition: number): string[] =>
    workClasses.map((workClass) => keys.queue(partition, workClass));

  async function ensureGroups(): Promise<void> {
    const creations = keys.allPartitions.flatMap(queuesOf).map(async (queue) => {
      try {
        // From the beginning of the stream: a group made anew after a loss must see what is in somebody's hands.
        await connection.xgroup("CREATE", queue, consumerGroup, "0", "MKSTREAM");
      } catch (error) {
        if (!(error instanceof Error && error.message.startsWith("BUSYGROUP"))) throw asUnavailable(error);
      }
    });
    await Promise.all(creations);
  }

  /** Runs against the group, and makes it first where it is missing: after FLUSHALL, or on an emptied replica. */
  async function withGroup<Result>(action: () => Promise<Result>): Promise<Result> {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof Error && error.message.includes("NOGROUP"))) throw error;
      await ensureGroups();
      return action();
    }
  }

  async function claimFrom(
    partition: number,
    count: number,
    { classes = workClasses, passOver = [] }: ClaimOptions,
  ): Promise<Task[]> {
    const queues = classes.map((workClass) => keys.queue(partition, workClass));
    const reply = (await run("claim-tasks", queues, [
      consumerGroup,
      options.consumer,
      count,
      options.nowMs(),
      keys.partition(partition),
      ...passOver,
    ])) as string;
    if (reply === "") return [];
    return (JSON.parse(reply) as ClaimedEntry[]).map((entry) => toTask(partition, classes, entry));
  }

  return {
    ensureGroups,

    async claim(partitions, count, claimOptions = {}) {
      const tasks: Task[] = [];
      let full = partitions;
      while (full.length > 0 && tasks.length < count) {
        const quotas = shares(count - tasks.length, full.length);
        const asked = full.slice(0, quotas.length);
        const claims = await Promise.allSettled(
          asked.map((partition, index) => claimFrom(partition, quotas[index] ?? 0, claimOptions)),
        );
        const claimed = claims.map((claim) => (claim.status === "fulfilled" ? claim.value : []));
        tasks.push(...claimed.flat());
        const failed = claims.find((claim) => claim.status === "rejected");
        if (failed !== undefined) {
          // What was taken is somebody's now, and has to be begun, whatever became of the rest.
          if (tasks.length === 0) throw failed.reason;
          for (const partition of partitions) claimOptions.left?.add(partition);
          return tasks;
        }
        const stillFull = asked.filter((_, index) => claimed[index]?.length === quotas[index]);
        // Those that have had nothing yet go first, also in the next round.
        full = [...full.slice(asked.length), ...stillFull];
      }
      for (const partition of full) claimOptions.left?.add(partition);
      return tasks;
    },

    async renew(tasks) {
      const lost: Task[] = [];
      const groups = Map.groupBy(tasks, (task) => keys.queue(task.partition, task.workClass));
      await Promise.all(
        [...groups].map(async ([stream, held]) => {
          const first = held[0];
          if (first === undefined) return;
          const gone = (await run(
            "renew-leases",
            [stream],
            [
              consumerGroup,
              options.consumer,
              keys.partition(first.partition),
              ...held.flatMap((task) => [task.lease, recordName(task), task.lane]),
            ],
          )) as string[];
          lost.push(...held.filter((task) => gone.includes(task.lease)));
        }),
      );
      return lost;
    },

    async retryLater(task, failure, dueAtMs) {
      const reply = await run(
        "retry-task",
        [keys.queue(task.partition, task.workClass), keys.record(task.tenantId, task.kind, task.id)],
        [consumerGroup, task.lease, task.lane, dueAtMs, recordName(task), JSON.stringify(failure)],
      );
      return reply === "retry";
    },

    async lineUp(task, dueAtMs) {
      const reply = await run(
        "line-up-task",
        [keys.queue(task.partition, task.workClass), keys.record(task.tenantId, task.kind, task.id)],
        [consumerGroup, task.lease, task.lane, dueAtMs, recordName(task)],
      );
      return reply === "in_line";
    },

    async handBack(tasks) {
      await Promise.all(
        tasks.map((task) =>
          run(
            "hand-back-task",
            [keys.queue(task.partition, task.workClass), keys.record(task.tenantId, task.kind, task.id)],
            [consumerGroup, task.lease, recordName(task), task.lane],
          ),
        ),
      );
    },

    async postpone(task, forMs) {
      await run(
        "postpone-task",
        [keys.queue(task.partition, task.workClass), keys.record(task.tenantId, task.kind, task.id)],
        [consumerGroup, task.lease, task.lane, Math.ceil(options.nowMs() + forMs), recordName(task)],
      );
    },

    async promoteDue(nowMs) {
      let promoted = 0;
      let nextDueAtMs: number | null = null;
      const replies = await Promise.all(
        keys.allPartitions.map((partition) =>
          run("promote-due", queuesOf(partition), [nowMs, 500, keys.partition(partition)]),
        ),
      );
      for (const [count, due] of replies as [number, string][]) {
        promoted += count;
        if (due !== "") nextDueAtMs = Math.min(nextDueAtMs ?? Number.POSITIVE_INFINITY, Number(due));
      }
      return { promoted, nextDueAtMs };
    },

    async reclaimLost() {
      const counts = await Promise.all(
        keys.allPartitions.flatMap((partition) =>
          queuesOf(partition).map((queue) => withGroup(() => reclaimFrom(queue, keys.partition(partition)))),
        ),
      );
      return sum(counts);
    },

    async reconcile(intervalMs) {
      const counts = await Promise.all(
        keys.allPartitions.map((partition) =>
          run(
            "reconcile",
            [keys.openRecords(partition), keys.reconciled(partition), ...queuesOf(partition)],
            [
              intervalMs,
              options.leaseMs,
              lookedAtOnce,
              keys.partition(partition),
              consumerGroup,
              ...workClasses,
            ],
          ),
        ),
      );
      return sum(counts as number[]);
    },

    async forgetConsumers() {
      const queues = keys.allPartitions.flatMap(queuesOf);
      const counts = await Promise.all(
        queues.map((queue) =>
          run("forget-consumers", [queue], [consumerGroup, options.silentForMs ?? silentForMs]),
        ),
      );
      return sum(counts as number[]);
    },
  };

  /** Follows the cursor to its end: a call sees only a part of the pending list, oldest first. */
  async function reclaimFrom(queue: string, prefix: string): Promise<number> {
    let cursor = "0-0";
    let total = 0;
    do {
      const reply = await run(
        "reclaim-lost",
        [queue],
        [consumerGroup, options.consumer, options.leaseMs, cursor, 100, prefix],
      );
      const [next, reclaimed] = reply as [string, number];
      cursor = next;
      total += reclaimed;
    } while (cursor !== "0-0");
    return total;
  }
}

/** So many, divided as evenly as it goes; where there are too few for all, the last get none. */
function shares(count: number, among: number): number[] {
  const each = Math.floor(count / among);
  const more = count % among;
  return Array.from({ length: Math.min(count, among) }, (_, index) => each + (index < more ? 1 : 0));
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function toTask(
  partition: number,
  classes: readonly WorkClass[],
  [index, lease, name, lane, attempt, record]: ClaimedEntry,
): Task {
  const [tenantId = "", kind = "", id = ""] = name.split(":");
  if (!isRecordKind(kind)) throw new Error(`The queue holds a record of an unknown kind: ${name}`);
  return {
    lease,
    partition,
    workClass: classes[index - 1] as WorkClass,
    tenantId,
    kind,
    id,
    lane,
    attempt,
    record,
  };
}
