import type { Clock } from "../clock.ts";
import { PasswrightError } from "../errors.ts";
import { nextAttemptAtMs, type RetrySchedule } from "../retry.ts";
import { type Failure, isWorthRetrying, type Task } from "./work.ts";

/** `dueAtMs` is when the next attempt is due; null when there is none. */
export type AttemptFault = { failure: Failure; retryable: boolean; dueAtMs: number | null };

/** A fault that is not the store's is unknown: our bug, and worth another try. */
export function asFault(error: unknown): PasswrightError {
  if (error instanceof PasswrightError) return error;
  return new PasswrightError("internal_error", "The attempt failed for an unknown reason.", { cause: error });
}

/**
 * What follows from an attempt's fault. Throws it where the store was away, which is nobody's failed attempt: the lease runs
 * out, and the work comes back.
 */
export function judgeFault(
  deps: { jobRetrySchedule: RetrySchedule; clock: Clock },
  task: Task,
  fault: PasswrightError,
): AttemptFault {
  if (fault.code === "unavailable") throw fault;
  const retryable = isWorthRetrying(fault.kind);
  const dueAtMs = retryable
    ? nextAttemptAtMs(deps.jobRetrySchedule, task.attempt, {
        nowMs: deps.clock.nowMs(),
        random: Math.random(),
        ...(fault.retryAfterSeconds !== undefined && { askedSeconds: fault.retryAfterSeconds }),
      })
    : null;
  return { failure: { code: fault.code, description: fault.detail }, retryable, dueAtMs };
}
