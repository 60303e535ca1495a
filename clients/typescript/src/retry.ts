import { PasswrightError } from "./errors.ts";
import { pause } from "./pause.ts";

const firstWaitMs = 500;
const longestBackOffMs = 8_000;
/** A service that asks for more patience than this gets none: the caller knows better what to do meanwhile. */
const longestRetryAfterSeconds = 60;

export type RetryPolicy = { maxRetries: number; signal?: AbortSignal | undefined };

/** Repeats what fails in a way that may pass, up to the policy's number of times, and waits in between. */
export async function withRetries<Value>(
  attempt: (number: number) => Promise<Value>,
  { maxRetries, signal }: RetryPolicy,
): Promise<Value> {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt(failures);
    } catch (error) {
      const waitMs = failures > maxRetries ? undefined : waitBeforeRetryMs(error, failures);
      if (waitMs === undefined) throw error;
      await pause(waitMs, signal);
    }
  }
}

/**
 * How long to wait after the so-and-so-many-th failure; undefined where repeating helps nothing. Retry-After is kept
 * to, with up to a tenth more; otherwise the wait doubles each time, between half and all of it at random, so that
 * callers who failed together do not come again together.
 */
export function waitBeforeRetryMs(
  error: unknown,
  failures: number,
  random = Math.random,
): number | undefined {
  if (!(error instanceof PasswrightError) || !mayPass(error)) return undefined;
  const { retryAfter } = error;
  if (retryAfter !== undefined) {
    if (retryAfter > longestRetryAfterSeconds) return undefined;
    return Math.round(retryAfter * 1000 * (1 + random() / 10));
  }
  const backOffMs = Math.min(longestBackOffMs, firstWaitMs * 2 ** (failures - 1));
  return backOffMs * (0.5 + random() / 2);
}

function mayPass({ code, status }: PasswrightError): boolean {
  if (status === undefined) return code === "connection_failed" || code === "timed_out";
  return status === 429 || status >= 500;
}
