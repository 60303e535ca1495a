import { isoInstant } from "../clock.ts";
import type { Message } from "./message.ts";

/** A message as the API shows it. `affectedPasses` of a broadcast is counted anew each time. */
export function messageResource(message: Message, affectedPasses: number) {
  const { subject } = message;
  return {
    id: message.id,
    ...(subject.kind === "pass" ? { pass_id: subject.id } : { template_id: subject.id }),
    header: message.header,
    body: message.body,
    status: message.status,
    affected_passes: affectedPasses,
    job_id: message.jobId,
    created_at: isoInstant(message.createdAtMs),
  };
}
