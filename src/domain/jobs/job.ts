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

/** What can be said of an operation that was carried out otherwise than the caller may expect, by code. */
export const warningTexts = {
  notification_capped: "Google shows the message without a notification: a pass gets three of them a day.",
  change_not_notified:
    "iPhones show the change without a notification: no field that changed has a change_message. Give one to the template's field.",
} as const satisfies Record<string, string>;

export type WarningCode = keyof typeof warningTexts;
export const warningCodes = Object.keys(warningTexts) as WarningCode[];

/** `code` is stable, `description` for people. */
export type Warning = { code: WarningCode; description: string };

export function warningOf(code: WarningCode): Warning {
  return { code, description: warningTexts[code] };
}

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
