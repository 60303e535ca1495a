export const jobTypes = [
  "pass.create",
  "pass.update",
  "pass.revoke",
  "message.send",
  "batch.process",
] as const;
export type JobType = (typeof jobTypes)[number];

export const jobStatuses = ["queued", "running", "retrying", "completed", "failed", "cancelled"] as const;
export type JobStatus = (typeof jobStatuses)[number];

export const warningCodes = ["notification_capped"] as const;

/** `code` is stable, `description` for people. */
export type Warning = { code: (typeof warningCodes)[number]; description: string };

/** The accepted operation that a 202 promises to carry out. */
export type Job = {
  id: string;
  tenantId: string;
  type: JobType;
  status: JobStatus;
  resource: { type: "pass" | "message" | "batch"; id: string };
  /** How often the work was begun; of several wallets, the most. */
  attempts: number;
  progress: { done: number; total: number };
  error: { code: string; description: string } | null;
  /** What was done otherwise than the caller may expect, of each wallet. */
  warnings: readonly Warning[];
  traceId: string;
  createdAtMs: number;
  startedAtMs: number | null;
  finishedAtMs: number | null;
};

export type JobStore = {
  find(tenantId: string, jobId: string): Promise<Job | null>;
  /** The job as soon as it is finished, or as it stands after `timeoutMs`; null when there is none. */
  awaitFinish(tenantId: string, jobId: string, timeoutMs: number, signal: AbortSignal): Promise<Job | null>;
};

export function isFinished(job: Pick<Job, "status">): boolean {
  return job.status === "completed" || job.status === "failed" || job.status === "cancelled";
}
