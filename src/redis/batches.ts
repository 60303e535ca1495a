import {
  type Batch,
  type BatchCreation,
  type BatchError,
  type BatchOperation,
  type BatchStatus,
  type BatchStore,
  type BatchWork,
  creationsOf,
  mostActiveBatches,
  mostErrors,
} from "../domain/batches/batch.ts";
import { type CreditRefusal, isCreditRefusal } from "../domain/credits/refusal.ts";
import { idempotencyRetentionSeconds } from "../domain/idempotency.ts";
import type { Failure, Task } from "../domain/jobs/work.ts";
import { asUnavailable } from "./connection.ts";
import { packEvent } from "./events.ts";
import { newestFirst } from "./pages.ts";
import { historyRetentionSeconds } from "./retention.ts";
import type { StoreParts } from "./store.ts";
import { consumerGroup, recordName } from "./task-names.ts";
import { monthOf } from "./tenants.ts";

export function createBatchStore({ connection, keys, run }: StoreParts): BatchStore {
  const find = async (tenantId: string, batchId: string): Promise<Batch | null> => {
    try {
      const [hash, errors] = await Promise.all([
        connection.hgetall(keys.batch(tenantId, batchId)),
        connection.zrange(keys.batchErrors(tenantId, batchId), "0", "-1"),
      ]);
      return fromHash(tenantId, batchId, hash, errors);
    } catch (error) {
      throw asUnavailable(error);
    }
  };

  return {
    async create({ batch, operations, idempotency, response, traceId }) {
      const { tenantId } = batch;
      const partition = keys.partitionOf(tenantId);
      const batchFields = [
        ...(batch.name === null ? [] : ["name", batch.name]),
        ...["status", batch.status, "total", batch.total, "succeeded", 0, "failed", 0, "next", 0],
        ...["job", batch.jobId, "created_at", batch.createdAtMs],
      ];
      const reply = (await run(
        "create-batch",
        [
          keys.idempotency(tenantId, idempotency?.scope ?? ""),
          keys.batch(tenantId, batch.id),
          keys.batchOperations(tenantId, batch.id),
          keys.batches(tenantId),
          keys.batchesByStatus(tenantId),
          keys.activeBatches(tenantId),
          keys.credits(tenantId),
          keys.record(tenantId, "job", batch.jobId),
          keys.queue(partition, "bulk"),
        ],
        [
          idempotency?.fingerprint ?? "",
          response,
          idempotencyRetentionSeconds,
          batch.id,
          batch.createdAtMs,
          monthOf(batch.createdAtMs),
          creationsOf(operations),
          mostActiveBatches,
          recordName({ tenantId, kind: "job", id: batch.jobId }),
          JSON.stringify(operations.map((operation) => JSON.stringify(operation))),
          batchFields.length,
          ...batchFields,
          ...jobFields(batch, traceId),
        ],
      )) as ["created" | "too_many" | CreditRefusal | "key_reused" | "replayed", string | number];
      const [outcome, said] = reply;
      if (isCreditRefusal(outcome)) return { outcome, left: Number(said) };
      return outcome === "replayed" ? { outcome, response: String(said) } : { outcome };
    },

    async cancel({ batch, idempotency, response, nowMs }) {
      const { tenantId } = batch;
      const reply = (await run(
        "cancel-batch",
        [
          keys.idempotency(tenantId, idempotency?.scope ?? ""),
          keys.batch(tenantId, batch.id),
          keys.batchesByStatus(tenantId),
          keys.activeBatches(tenantId),
          keys.credits(tenantId),
          keys.batchOperations(tenantId, batch.id),
          keys.record(tenantId, "job", batch.jobId),
          keys.queue(keys.partitionOf(tenantId), "bulk"),
        ],
        [
          idempotency?.fingerprint ?? "",
          response,
          idempotencyRetentionSeconds,
          batch.id,
          nowMs,
          recordName({ tenantId, kind: "job", id: batch.jobId }),
          historyRetentionSeconds,
          keys.finishedJobs,
          batch.jobId,
        ],
      )) as ["cancelled" | "not_found" | "invalid_state" | "key_reused" | "replayed", string];
      return reply[0] === "replayed" ? { outcome: "replayed", response: reply[1] } : { outcome: reply[0] };
    },

    find,

    async list(tenantId, filter, page) {
      const index =
        filter.status === undefined
          ? keys.batches(tenantId)
          : `${keys.batchesByStatus(tenantId)}:${filter.status}`;
      const { items, total } = await newestFirst(connection, index, page);
      const batches = await Promise.all(items.map((id) => find(tenantId, id)));
      return { items: batches.filter((batch) => batch !== null), total };
    },
  };
}

export function createBatchWork({ connection, keys, run }: StoreParts, deps: { nowMs(): number }): BatchWork {
  const jobKey = (task: Task): string => keys.record(task.tenantId, "job", task.id);
  return {
    async start(task, batchId) {
      const { tenantId } = task;
      const reply = await run(
        "start-batch",
        [jobKey(task), keys.batch(tenantId, batchId), keys.batchesByStatus(tenantId)],
        [task.lease, batchId, deps.nowMs()],
      );
      return reply === "lost" ? "lost" : Number(reply);
    },

    async operations(task, batchId, from, count) {
      try {
        const key = keys.batchOperations(task.tenantId, batchId);
        const texts = await connection.lrange(key, from, from + count - 1);
        return texts.map((text) => JSON.parse(text) as BatchOperation);
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async advance(task, batchId, from, outcomes) {
      const failures = outcomes.flatMap((failure: Failure | null, i) =>
        failure === null ? [] : [{ index: from + i, ...failure }],
      );
      const reply = await run(
        "advance-batch",
        [jobKey(task), keys.batch(task.tenantId, batchId), keys.batchErrors(task.tenantId, batchId)],
        [
          task.lease,
          from,
          outcomes.length - failures.length,
          failures.length,
          mostErrors,
          ...failures.slice(0, mostErrors).flatMap((failure) => [failure.index, JSON.stringify(failure)]),
        ],
      );
      return reply === "advanced";
    },

    async finish(task, batchId, event) {
      const { tenantId, partition } = task;
      const nowMs = deps.nowMs();
      const reply = await run(
        "finish-batch",
        [
          keys.queue(partition, task.workClass),
          jobKey(task),
          keys.batch(tenantId, batchId),
          keys.batchesByStatus(tenantId),
          keys.activeBatches(tenantId),
          keys.credits(tenantId),
          keys.batchOperations(tenantId, batchId),
          keys.batchErrors(tenantId, batchId),
          ...keys.recordedEvents(tenantId, "batch.completed", nowMs),
          keys.webhooksByType(tenantId, "batch.completed"),
          keys.outbox(partition),
        ],
        [
          consumerGroup,
          task.lease,
          batchId,
          task.id,
          nowMs,
          historyRetentionSeconds,
          keys.finishedJobs,
          packEvent({ id: event.id, type: "batch.completed" }),
          tenantId,
          event.id,
        ],
      );
      return reply === "finished";
    },
  };
}

function jobFields(batch: BatchCreation["batch"], traceId: string): (string | number)[] {
  return [
    ...["type", "batch.process", "status", "queued", "class", "bulk"],
    ...["resource_type", "batch", "resource_id", batch.id, "total", batch.total, "done", 0],
    ...["trace", traceId, "created_at", batch.createdAtMs],
  ];
}

function fromHash(
  tenantId: string,
  id: string,
  hash: Record<string, string>,
  errors: readonly string[],
): Batch | null {
  if (hash.status === undefined) return null;
  const instant = (text: string | undefined): number | null => (text === undefined ? null : Number(text));
  return {
    id,
    tenantId,
    name: hash.name ?? null,
    status: hash.status as BatchStatus,
    total: Number(hash.total),
    succeeded: Number(hash.succeeded),
    failed: Number(hash.failed),
    errors: errors.map((text) => JSON.parse(text) as BatchError),
    jobId: hash.job ?? "",
    createdAtMs: Number(hash.created_at),
    startedAtMs: instant(hash.started_at),
    finishedAtMs: instant(hash.finished_at),
  };
}
