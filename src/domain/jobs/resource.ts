import { isoInstant } from "../clock.ts";
import type { JobDetails } from "./history.ts";
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
    ...(job.warnings.length > 0 && {
      warnings: job.warnings.map(({ code, description }) => ({ warning: code, description })),
    }),
    created_at: isoInstant(job.createdAtMs),
    started_at: job.startedAtMs === null ? null : isoInstant(job.startedAtMs),
    finished_at: job.finishedAtMs === null ? null : isoInstant(job.finishedAtMs),
  };
}

/** A job as operators see it: with its trace id, and with its lanes as long as it has them. */
export function jobDetailResource({ job, lanes }: JobDetails) {
  return {
    ...jobResource(job),
    trace_id: job.traceId,
    lanes: lanes.map(({ lane, state, attempts, replays, deadLetterId, nextAttemptAtMs }) => ({
      lane,
      state,
      attempts,
      replays,
      dead_letter: deadLetterId,
      next_attempt_at: nextAttemptAtMs === null ? null : isoInstant(nextAttemptAtMs),
    })),
  };
}
