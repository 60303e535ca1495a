import { isoInstant } from "../clock.ts";
import type { Job } from "./job.ts";

/** A job as the API shows it. */
export function jobResource(job: Job) {
  return {
    id: job.id,
    type: job.type,
    status: job.status,
    resource: job.resource,
    attempts: job.attempts,
    progress: job.progress,
    error: job.error && { error: job.error.code, error_description: job.error.description },
    ...(job.notice !== null && { notice: job.notice }),
    created_at: isoInstant(job.createdAtMs),
    started_at: job.startedAtMs === null ? null : isoInstant(job.startedAtMs),
    finished_at: job.finishedAtMs === null ? null : isoInstant(job.finishedAtMs),
  };
}
