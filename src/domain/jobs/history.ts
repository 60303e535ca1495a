import type { ErrorCode } from "../errors.ts";
import type { Job } from "./job.ts";

/** One part of a job that is done and retried by itself: a wallet, or `main` of a batch. */
export type JobLane = {
  lane: string;
  state: string;
  /** Begun since it was queued, or since its dead letter was given another try. */
  attempts: number;
  /** How often a dead letter of it was given another try. */
  replays: number;
  deadLetterId: string | null;
  /** Of a lane that is retrying. */
  nextAttemptAtMs: number | null;
};

/** A completed job has shed its lanes. */
export type JobDetails = { job: Job; lanes: JobLane[] };

/**
 * Where a tenant's jobs are looked up, always the newest first: all that were accepted in the last 30 days, or of these the
 * jobs of batches, or of messages; those that are not finished; those that failed, or whose batch was cancelled, in the
 * last 30 days.
 */
export type JobSource = "accepted" | "batches" | "messages" | "open" | "failed" | "cancelled";

/** Part of a look-up: the jobs that it found, and how many entries it looked at for them. */
export type JobStretch = { jobs: Job[]; looked: number };

export type JobHistory = {
  details(tenantId: string, jobId: string): Promise<JobDetails | null>;
  /** `size`: how many are wanted, where that is known. */
  stretches(tenantId: string, source: JobSource, size?: number): AsyncGenerator<JobStretch>;
  /** Has what the job put off tried at once; answers the lanes that wait for a worker now. */
  hasten(tenantId: string, jobId: string): Promise<string[]>;
  /** Makes dead letters of what failed with that code and has none; answers how many. */
  bury(tenantId: string, jobId: string, code: ErrorCode): Promise<number>;
};
