/** The wait before each attempt, in milliseconds; its length is the number of attempts. */
export type RetrySchedule = readonly number[];

/**
 * When to try again after attempt number `attempt` (from 1) failed, or null when it was the last one. Waits vary by
 * ±20 %, so that what failed together does not come back together. `askedSeconds` is a Retry-After of the other side:
 * honoured up to an hour, and never to come earlier than planned.
 */
export function nextAttemptAtMs(
  schedule: RetrySchedule,
  attempt: number,
  now: { nowMs: number; random: number; askedSeconds?: number },
): number | null {
  const wait = schedule[attempt];
  if (wait === undefined) return null;
  const jittered = wait * (0.8 + 0.4 * now.random);
  const asked = Math.min(now.askedSeconds ?? 0, 3600) * 1000;
  return Math.round(now.nowMs + Math.max(jittered, asked));
}
