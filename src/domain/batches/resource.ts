import { isoInstant } from "../clock.ts";
import type { Batch } from "./batch.ts";

/** A batch as the API shows it. */
export function batchResource(batch: Batch) {
  const instant = (ms: number | null): string | null => (ms === null ? null : isoInstant(ms));
  return {
    id: batch.id,
    name: batch.name,
    status: batch.status,
    total: batch.total,
    succeeded: batch.succeeded,
    failed: batch.failed,
    errors: batch.errors.map(({ index, code, description }) => ({
      index,
      error: code,
      error_description: description,
    })),
    job_id: batch.jobId,
    created_at: isoInstant(batch.createdAtMs),
    started_at: instant(batch.startedAtMs),
    finished_at: instant(batch.finishedAtMs),
  };
}
