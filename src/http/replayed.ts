import type { Reply } from "./route.ts";

/** Marks the answer to a repeat of an earlier request. */
export function replayMark(replayed: boolean): { "Idempotent-Replayed"?: string } {
  return replayed ? { "Idempotent-Replayed": "true" } : {};
}

/** The 202 of an operation, which tells where its job is. */
export function acceptedReply(
  { body, jobId, replayed }: { body: string; jobId: string; replayed: boolean },
  { baseUrl }: { baseUrl: string },
): Reply {
  return {
    status: 202,
    body,
    headers: { Location: `${baseUrl}/api/v1/jobs/${jobId}`, ...replayMark(replayed) },
  };
}
