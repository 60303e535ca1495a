import type { ErrorCode, Job, Problem, Violation } from "./generated/schemas.ts";

/** Codes of failures that no answer of the service stands behind. */
export type ClientErrorCode =
  /** There was no answer, or it ended in the middle. The cause is in `cause`. */
  | "connection_failed"
  /** There was no answer within the time limit of an attempt. */
  | "timed_out"
  /** An answer that is not the API's: of a proxy, or of something else at that address. */
  | "unexpected_response"
  /** The job was cancelled before it was done. */
  | "job_cancelled";

/** What a request would have taken, and what there was: credits, or passes of a contract's month. */
export type Shortage = {
  required: number;
  balance: number;
  /** Where credits can be bought; not for a contract. */
  purchaseUrl?: string | undefined;
  /** When a contract's month is over. */
  resetsAt?: string | undefined;
};

export type ErrorFacts = {
  code: ErrorCode | ClientErrorCode;
  description: string;
  status?: number | undefined;
  traceId?: string | undefined;
  details?: readonly Violation[] | undefined;
  retryAfter?: number | undefined;
  shortage?: Shortage | undefined;
  problem?: Problem | undefined;
  cause?: unknown;
};

/** Every failure of a call, but for aborts (which reject with the signal's reason) and for wrong arguments (TypeError). */
export class PasswrightError extends Error {
  override readonly name: string = "PasswrightError";
  /** A word for programs, such as `invalid_state`. New ones may appear: treat an unknown one by its status. */
  readonly code: ErrorCode | ClientErrorCode;
  /** A sentence for people. */
  readonly description: string;
  /** The HTTP status; undefined where there was no answer. */
  readonly status: number | undefined;
  /** Quote it when you ask for help. */
  readonly traceId: string | undefined;
  /** Every violation that a 400 is about; empty otherwise. */
  readonly details: readonly Violation[];
  /** When the service says that trying again makes sense, in seconds. */
  readonly retryAfter: number | undefined;
  /** Of a 402: what is missing, and the way out. */
  readonly shortage: Shortage | undefined;
  /** The whole of a problem document (RFC 9457), as billing answers it. */
  readonly problem: Problem | undefined;

  constructor(facts: ErrorFacts) {
    const about = facts.status === undefined ? facts.code : `${facts.status} ${facts.code}`;
    super(`${about}: ${facts.description}`, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
    this.description = facts.description;
    this.status = facts.status;
    this.traceId = facts.traceId;
    this.details = facts.details ?? [];
    this.retryAfter = facts.retryAfter;
    this.shortage = facts.shortage;
    this.problem = facts.problem;
  }
}

/** A job that was waited for failed for good, or was cancelled. */
export class PasswrightJobError extends PasswrightError {
  override readonly name = "PasswrightJobError";
  readonly job: Job;

  constructor(job: Job) {
    super({
      code: job.error?.error ?? "job_cancelled",
      description: job.error?.error_description ?? `The job ${job.id} was cancelled.`,
    });
    this.job = job;
  }
}
