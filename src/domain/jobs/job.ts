export const jobTypes = [
  "pass.create",
  "pass.update",
  "pass.revoke",
  "message.send",
  "batch.process",
] as const;
export type JobType = (typeof jobTypes)[number];

export type JobStatus = "queued" | "running" | "retrying" | "completed" | "failed" | "cancelled";

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
  /** What its sender should know though nothing failed: a message that a wallet delivered without a notification. */
  notice: string | null;
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
