import type { EventType } from "../domain/events/event.ts";

/** An event as the history's sorted sets hold it: the id first, so that events of one instant sort by it. */
export function packEvent(event: {
  id: string;
  type: EventType;
  passId?: string;
  templateId?: string;
  messageId?: string;
}): string {
  return [event.id, event.type, event.passId ?? "", event.templateId ?? "", event.messageId ?? ""].join(" ");
}
