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

/** A wallet that says that it is too much has so long, from when the work was accepted, before attempts count. */
const patienceMs = 3_600_000;

/**
 * When the turn of work comes that a wallet could not take yet: an attempt that does not count. Null where it was another
 * fault, or the wallet has said so for too long.
 */
export function turnOf(deps: { clock: Clock }, task: Task, { turn }: PasswrightError): number | null {
  if (turn === undefined) return null;
  const nowMs = deps.clock.nowMs();
  const isTooLong = turn.refused && nowMs - Number(task.record.created_at) > patienceMs;
  return isTooLong ? null : Math.ceil(nowMs + turn.inMs);
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
  // What is tried again by itself takes nobody's doing.
  const { detail, remedy } = fault;
  const description = retryable || remedy === undefined ? detail : `${sentence(detail)} ${remedy}`;
  return { failure: { code: fault.code, description }, retryable, dueAtMs };
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
