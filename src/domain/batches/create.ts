import type { Clock } from "../clock.ts";
import { creditRefusal } from "../credits/refusal.ts";
import { PasswrightError } from "../errors.ts";
import { type IdempotencyClaim, type IdempotencyStore, keyReused, recallAnswer } from "../idempotency.ts";
import type { Ids } from "../ids.ts";
import { type Batch, type BatchOperation, type BatchStore, creationsOf, mostActiveBatches } from "./batch.ts";
import { batchResource } from "./resource.ts";

/** `body` is the JSON of the 202; `replayed` when it answers a repeat. */
export type AcceptedBatch = { body: string; jobId: string; replayed: boolean };

/**
 * Accepts a batch, with a credit reserved for each pass that it creates. Rejects with too_many_batches,
 * insufficient_credits, contract_cap_reached or idempotency_key_reused; then nothing is written.
 */
export async function createBatch(
  deps: { batches: BatchStore; idempotency: IdempotencyStore; ids: Ids; clock: Clock; baseUrl: string },
  input: {
    tenantId: string;
    name: string | null;
    operations: readonly BatchOperation[];
    idempotency: IdempotencyClaim | null;
    traceId: string;
  },
): Promise<AcceptedBatch> {
  const kept = await recallAnswer(deps, input.tenantId, input.idempotency);
  if (kept !== null) return replayedBatch(kept);
  const batch: Batch = {
    id: deps.ids.uuid(),
    tenantId: input.tenantId,
    name: input.name,
    status: "queued",
    total: input.operations.length,
    succeeded: 0,
    failed: 0,
    errors: [],
    jobId: deps.ids.uuid(),
    createdAtMs: deps.clock.nowMs(),
    startedAtMs: null,
    finishedAtMs: null,
  };
  const body = JSON.stringify(batchResource(batch));
  const result = await deps.batches.create({
    batch,
    operations: input.operations,
    traceId: input.traceId,
    idempotency: input.idempotency,
    response: body,
  });
  switch (result.outcome) {
    case "created":
      return { body, jobId: batch.jobId, replayed: false };
    case "replayed":
      return replayedBatch(result.response);
    case "key_reused":
      throw keyReused();
    case "too_many":
      throw new PasswrightError(
        "too_many_batches",
        `A tenant has at most ${mostActiveBatches} batches queued or processing. Wait until one has ended.`,
        { retryAfterSeconds: 5, limit: mostActiveBatches },
      );
    default:
      throw creditRefusal(result, {
        required: creationsOf(input.operations),
        baseUrl: deps.baseUrl,
        atMs: batch.createdAtMs,
      });
  }
}

export function replayedBatch(response: string): AcceptedBatch {
  const { job_id } = JSON.parse(response) as { job_id: string };
  return { body: response, jobId: job_id, replayed: true };
}
