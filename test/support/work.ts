import { randomUUID } from "node:crypto";
import type { Task, WorkClass, WorkQueue } from "../../src/domain/jobs/work.ts";
import type { PassOutcome } from "../../src/domain/passes/pass.ts";
import { createPassWork } from "../../src/redis/pass-work.ts";
import { withParts } from "../../src/redis/scripts.ts";
import type { StoreParts } from "../../src/redis/store.ts";
import { consumerGroup, recordName } from "../../src/redis/task-names.ts";
import { createWorkQueue } from "../../src/redis/work-queue.ts";
import type { TestStore } from "./store.ts";

/** The queue as one worker has it, its groups made. The lease is a minute, so that nothing is reclaimed by chance. */
export async function openQueue(
  store: TestStore,
  options: { consumer?: string; leaseMs?: number; through?: StoreParts } = {},
) {
  const queue = createWorkQueue(options.through ?? store, {
    consumer: options.consumer ?? randomUUID(),
    leaseMs: options.leaseMs ?? 60_000,
    nowMs: () => store.clock.nowMs(),
  });
  await queue.ensureGroups();
  return queue;
}

const enqueueJob = withParts(`-- uses: enqueue
for i = 1, ARGV[2] do enqueue(KEYS[1], KEYS[2], ARGV[1], ARGV[2 + i]) end
redis.call('HSET', KEYS[2], unpack(ARGV, 3 + ARGV[2]))`);

/** Puts a job on the queue as an accepted operation does, of any class and on any pass. Answers its id. */
export async function addJob(
  store: TestStore,
  job: {
    tenantId: string;
    workClass?: WorkClass;
    lanes?: readonly string[];
    passId?: string;
    templateId?: string;
    revision?: number;
    webhook?: string;
  },
): Promise<string> {
  const { connection, keys } = store;
  const { tenantId, workClass = "interactive", lanes = ["apple"] } = job;
  const id = store.ids.uuid();
  const fields = {
    type: "pass.update",
    status: "queued",
    tenant: tenantId,
    class: workClass,
    revision: job.revision ?? 1,
    resource_type: "pass",
    resource_id: job.passId ?? randomUUID(),
    template: job.templateId ?? randomUUID(),
    lanes: lanes.join(" "),
    total: lanes.length,
    done: 0,
    trace: "4bf92f3577b34da6a3ce929d0e0e4736",
    created_at: store.clock.nowMs(),
    ...(job.webhook !== undefined && { webhook: job.webhook }),
  };
  // In one step, as any worker may take an entry as soon as it is there.
  await connection.eval(
    enqueueJob,
    2,
    keys.queue(keys.partitionOf(tenantId), workClass),
    keys.record(tenantId, "job", id),
    recordName({ tenantId, kind: "job", id }),
    lanes.length,
    ...lanes,
    ...Object.entries(fields).flat(),
  );
  return id;
}

/** Makes a held entry look as if its worker had not shown itself for so long. */
export async function silence(store: TestStore, task: Task, forMs: number): Promise<void> {
  const stream = store.keys.queue(task.partition, task.workClass);
  const [[, holder = ""] = []] = (await store.connection.xpending(
    stream,
    consumerGroup,
    task.lease,
    task.lease,
    1,
  )) as [string, string][];
  await store.connection.call(
    "XCLAIM",
    ...[stream, consumerGroup, holder, "0", task.lease, "IDLE", String(forMs), "JUSTID"],
  );
}

/** What a partition has in its queues, of all classes: `entries` that wait or are held, and those `pending` for a worker. */
export async function depth(store: TestStore, partition: number) {
  let entries = 0;
  let pending = 0;
  for (const workClass of ["interactive", "webhooks", "bulk"] as const) {
    const stream = store.keys.queue(partition, workClass);
    entries += await store.connection.zcard(store.keys.ready(partition, workClass));
    if ((await store.connection.exists(stream)) === 0) continue;
    entries += await store.connection.xlen(stream);
    const groups = (await store.connection.xinfo("GROUPS", stream)) as string[][];
    if (groups.length > 0) pending += Number((await store.connection.xpending(stream, consumerGroup))[0]);
  }
  return { entries, pending };
}

export const completed: PassOutcome = { outcome: "completed", saveLink: "https://example.com/save" };

/** A failure for good; with `bury`, one that leaves a dead letter. */
export function failed(code: string, options: { bury: boolean } = { bury: false }): PassOutcome {
  return { outcome: "failed", failure: { code, description: `because of ${code}` }, ...options };
}

/** Settles one wallet's part of a pass operation. */
export function settle(store: TestStore, task: Task, outcome: PassOutcome): Promise<boolean> {
  const work = createPassWork(store, store.clock);
  return work.settle(task, Number(task.record.revision), outcome, { id: store.ids.uuid() });
}

/** Takes all that waits in a tenant's partition; answers with the tenant's own. */
export async function claimOf(
  queue: Pick<WorkQueue, "claim">,
  issuer: { tenantId: string; partition: number },
): Promise<Task[]> {
  const tasks = await queue.claim([issuer.partition], 10_000);
  return tasks.filter(({ tenantId }) => tenantId === issuer.tenantId);
}

/** The one task of a lane among those that were claimed. */
export function lane(tasks: readonly Task[], name: string): Task {
  const found = tasks.filter((task) => task.lane === name);
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} tasks of lane ${name}`);
  return found[0];
}
