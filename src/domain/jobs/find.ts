import { PasswrightError } from "../errors.ts";
import { isUuid } from "../ids.ts";
import type { JobDetails, JobHistory } from "./history.ts";

/** A job of the tenant with its lanes, or not_found. */
export async function findJob(
  deps: { jobHistory: Pick<JobHistory, "details"> },
  input: { tenantId: string; jobId: string },
): Promise<JobDetails> {
  const { tenantId, jobId } = input;
  const details = isUuid(jobId) ? await deps.jobHistory.details(tenantId, jobId) : null;
  if (details !== null) return details;
  throw new PasswrightError(
    "not_found",
    `The tenant has no job ${jobId}. Jobs are kept for 30 days after their end.`,
  );
}
