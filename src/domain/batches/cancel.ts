import type { Clock } from "../clock.ts";
import { PasswrightError } from "../errors.ts";
import { type IdempotencyClaim, type IdempotencyStore, keyReused, recallAnswer } from "../idempotency.ts";
import type { BatchStore } from "./batch.ts";
import { type AcceptedBatch, replayedBatch } from "./create.ts";
import { batchResource } from "./resource.ts";

/** Takes a batch back that no worker has begun, or rejects with invalid_state. */
export async function cancelBatch(
  deps: { batches: BatchStore; idempotency: IdempotencyStore; clock: Clock },
  input: { tenantId: string; batchId: string; idempotency: IdempotencyClaim | null },
): Promise<AcceptedBatch> {
  const kept = await recallAnswer(deps, input.tenantId, input.idempotency);
  if (kept !== null) return replayedBatch(kept);
  const batch = await deps.batches.find(input.tenantId, input.batchId);
  if (batch === null) throw notFound();
  const nowMs = deps.clock.nowMs();
  const body = JSON.stringify(batchResource({ ...batch, status: "cancelled", finishedAtMs: nowMs }));
  const { idempotency } = input;
  const result = await deps.batches.cancel({ batch, idempotency, response: body, nowMs });
  switch (result.outcome) {
    case "cancelled":
      return { body, jobId: batch.jobId, replayed: false };
    case "replayed":
      return replayedBatch(result.response);
    case "key_reused":
      throw keyReused();
    case "not_found":
      throw notFound();
    case "invalid_state":
      throw new PasswrightError("invalid_state", "Only a batch that is still queued can be cancelled.");
  }
}

function notFound(): PasswrightError {
  return new PasswrightError("not_found", "There is no batch with this id.");
}
