import type { BatchStore } from "../batches/batch.ts";
import { cancelBatch } from "../batches/cancel.ts";
import type { Clock } from "../clock.ts";
import { PasswrightError } from "../errors.ts";
import type { IdempotencyStore } from "../idempotency.ts";
import { findJob } from "./find.ts";
import type { JobDetails, JobHistory } from "./history.ts";
import { isFinished, type Job } from "./job.ts";

type Deps = {
  jobHistory: Pick<JobHistory, "details">;
  batches: BatchStore;
  idempotency: IdempotencyStore;
  clock: Clock;
};

/**
 * Takes a job back that no worker has begun. That is possible for a batch's, and gives its reserved credits back; a single
 * pass or message shows already that it was accepted. Rejects with not_found and invalid_state.
 */
export async function cancelJob(deps: Deps, input: { tenantId: string; jobId: string }): Promise<JobDetails> {
  const { job } = await findJob(deps, input);
  const obstacle = obstacleOf(job);
  if (obstacle !== null) throw new PasswrightError("invalid_state", obstacle);
  await cancelBatch(deps, { tenantId: job.tenantId, batchId: job.resource.id, idempotency: null });
  return findJob(deps, input);
}

function obstacleOf({ type, status, resource }: Job): string | null {
  if (isFinished({ status })) return `The job is ${status}: there is nothing left to cancel.`;
  if (resource.type === "pass") {
    return `A ${type} cannot be cancelled, since its pass shows it already. The tenant's next PATCH or DELETE of /api/v1/passes/${resource.id} overtakes it.`;
  }
  if (resource.type === "message") {
    return `A ${type} cannot be cancelled: one wallet may have the message by now.`;
  }
  if (status === "queued") return null;
  return "A worker has begun the batch. Only one that is still queued can be cancelled.";
}
