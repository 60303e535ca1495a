import { isoInstant } from "../clock.ts";
import type { WebhookEventType } from "./event.ts";

/** What a webhook gets: the event, with the resource as its GET would show it (`resource` is its JSON). */
export function eventBody(event: {
  id: string;
  type: WebhookEventType;
  tenantId: string;
  atMs: number;
  resource: string;
}): string {
  const head = JSON.stringify({
    id: event.id,
    type: event.type,
    created_at: isoInstant(event.atMs),
    tenant_id: event.tenantId,
  });
  return `${head.slice(0, -1)},"data":${event.resource}}`;
}
