import { PasswrightError } from "../errors.ts";

/** Whether the queue takes more of a tenant's work; a second late, since the bounds need not be met to the dot. */
export type QueueRoom = (tenantId: string) => Promise<"room" | "full" | "share_full" | "dead_letters_full">;

const refusals = {
  full: ["So much work waits already that no more is taken at the moment.", 10],
  share_full: ["So much of your work waits already that no more is taken at the moment.", 10],
  dead_letters_full: ["No more work is taken until an operator has dealt with what was given up.", 60],
} as const;

/**
 * Refuses new work (unavailable, with the time after which to try again) rather than to take what the store has no room
 * for. What was accepted is never dropped to make room.
 */
export async function requireQueueRoom(room: QueueRoom, tenantId: string): Promise<void> {
  const answer = await room(tenantId);
  if (answer === "room") return;
  const [detail, retryAfterSeconds] = refusals[answer];
  throw new PasswrightError("unavailable", detail, { retryAfterSeconds });
}
