import { isoInstant } from "../clock.ts";
import type { RecordedEvent } from "./event.ts";
import type { EventSummary } from "./summarize.ts";

/** An event of the history as the API shows it. */
export function eventResource(event: RecordedEvent) {
  return {
    id: event.id,
    event_type: event.type,
    pass_id: event.passId,
    template_id: event.templateId,
    message_id: event.messageId,
    occurred_at: isoInstant(event.occurredAtMs),
  };
}

export function summaryResource(summary: EventSummary) {
  return {
    from: isoInstant(summary.fromMs),
    to: isoInstant(summary.toMs),
    days: summary.days,
    totals: summary.totals,
    active_passes: summary.activePasses,
  };
}
