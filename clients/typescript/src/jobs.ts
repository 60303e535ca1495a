import type { CallOptions } from "./call.ts";
import { PasswrightJobError } from "./errors.ts";
import type { GetJobQuery } from "./generated/jobs.ts";
import type { Job } from "./generated/schemas.ts";
import { pause } from "./pause.ts";

/** The longest that the service holds an answer, in seconds. */
const longestHoldSeconds = 20;

export type WaitOptions = Pick<CallOptions, "signal" | "maxRetries" | "headers" | "onResponse"> & {
  /** Is shown the job whenever it was read and is not finished yet. */
  onProgress?: ((job: Job) => void) | undefined;
  /** How long the service may hold each answer, in whole seconds, 0 to 20. */
  holdSeconds?: number | undefined;
};

type GetJob = (id: string, query: GetJobQuery, options: CallOptions) => Promise<Job>;

/**
 * Waits until a job is finished; the service holds the answer until then, so this costs a request every 20 seconds.
 * Takes a job's id, or an answer that names one (a pass, a batch, a message). Rejects with a PasswrightJobError when the
 * job failed or was cancelled. It waits as long as it takes: give a signal, such as AbortSignal.timeout(60_000).
 */
export async function waitForJob(
  getJob: GetJob,
  job: string | { job_id: string },
  options: WaitOptions & { timeoutMs: number },
): Promise<Job> {
  const { onProgress, holdSeconds = longestHoldSeconds, timeoutMs, ...rest } = options;
  const id = typeof job === "string" ? job : job.job_id;
  const limits = { ...rest, timeoutMs: timeoutMs + holdSeconds * 1000 };
  for (;;) {
    const askedAtMs = performance.now();
    const found = await getJob(id, { wait: holdSeconds }, limits);
    if (found.status === "completed") return found;
    if (found.status === "failed" || found.status === "cancelled") throw new PasswrightJobError(found);
    onProgress?.(found);
    // A service that is about to stop holds no answer.
    await pause(Math.max(0, askedAtMs + 1000 - performance.now()), options.signal);
  }
}
