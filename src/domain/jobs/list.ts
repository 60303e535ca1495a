import type { JobHistory, JobSource } from "./history.ts";
import type { Job, JobStatus, JobType } from "./job.ts";

/** So many entries are looked at for one list, which takes some seconds. */
export const mostLookedAt = 100_000;

/** Jobs that are read at a time: as many as are to be shown, within bounds. */
const leastAtOnce = 100;
const mostAtOnce = 500;

const sourceOfStatus: Partial<Record<JobStatus, JobSource>> = {
  queued: "open",
  running: "open",
  retrying: "open",
  failed: "failed",
  cancelled: "cancelled",
};

const sourceOfType: Partial<Record<JobType, JobSource>> = {
  "batch.process": "batches",
  "message.send": "messages",
};

/**
 * The newest `limit` jobs of a tenant, of one status and one type where these are given. `isWhole` is false where the search
 * ended before there were so many, though there may be more.
 */
export async function listJobs(
  deps: { jobHistory: Pick<JobHistory, "stretches"> },
  input: {
    tenantId: string;
    status: JobStatus | null;
    type: JobType | null;
    limit: number;
    mostLookedAt?: number;
  },
): Promise<{ jobs: Job[]; isWhole: boolean }> {
  const { tenantId, status, type, limit } = input;
  const mostOfThis = input.mostLookedAt ?? mostLookedAt;
  const source = (status && sourceOfStatus[status]) ?? (type && sourceOfType[type]) ?? "accepted";
  // By id: what is accepted meanwhile moves the others.
  const found = new Map<string, Job>();
  let looked = 0;
  // Where nothing is sifted out, no more than is shown needs to be read.
  const isWhatever = status === null && type === null;
  const size = Math.min(isWhatever ? limit : Math.max(limit, leastAtOnce), mostAtOnce);
  for await (const stretch of deps.jobHistory.stretches(tenantId, source, size)) {
    for (const job of stretch.jobs) {
      if (status !== null && job.status !== status) continue;
      if (type !== null && job.type !== type) continue;
      found.set(job.id, job);
      if (found.size === limit) return { jobs: [...found.values()], isWhole: true };
    }
    looked += stretch.looked;
    if (looked >= mostOfThis) return { jobs: [...found.values()], isWhole: false };
  }
  return { jobs: [...found.values()], isWhole: true };
}
