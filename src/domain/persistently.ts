import { PasswrightError } from "./errors.ts";

const firstPauseMs = 100;
const longestPauseMs = 2000;

/**
 * Does something again until the store answers. What was done for a delivery must not be forgotten for a short outage, and
 * nobody else can have the delivery meanwhile without the store knowing it. Rejects with what is no outage, and with the
 * outage once `signal` is aborted: then the work is no longer ours.
 */
export function persistently<Result>(
  action: () => Result | Promise<Result>,
  signal: AbortSignal,
): Result | Promise<Result> {
  const first = action();
  return first instanceof Promise ? first.catch((error) => goOn(action, signal, error)) : first;
}

async function goOn<Result>(
  action: () => Result | Promise<Result>,
  signal: AbortSignal,
  firstError: unknown,
): Promise<Result> {
  let error = firstError;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const isOutage = error instanceof PasswrightError && error.code === "unavailable";
    if (!isOutage || signal.aborted) throw error;
    await pause(pauseMs, signal);
    try {
      return await action();
    } catch (next) {
      error = next;
    }
  }
}

/** Ends early when the signal is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const over = Promise.withResolvers<void>();
  const end = (): void => over.resolve();
  const timer = setTimeout(end, ms);
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  await over.promise;
  clearTimeout(timer);
  signal.removeEventListener("abort", end);
}
