import { PasswrightError } from "./errors.ts";

const firstPauseMs = 100;
const longestPauseMs = 2000;

/**
 * Does something again until the store answers. What was done for a delivery must not be forgotten for a short outage, and
 * nobody else can have the delivery meanwhile without the store knowing it. Rejects with what is no outage, and with the
 * outage once `signal` is aborted: then the work is no longer ours.
 */
export async function persistently<Result>(
  action: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await action();
    } catch (error) {
      const isOutage = error instanceof PasswrightError && error.code === "unavailable";
      if (!isOutage || signal.aborted) throw error;
    }
    await pause(pauseMs, signal);
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
