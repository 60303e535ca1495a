import type { Clock } from "../clock.ts";
import type { Page, PageRequest } from "../page.ts";
import { findWebhook } from "./find.ts";
import type { Delivery, DeliveryStore, WebhookStore } from "./webhook.ts";

/** What a webhook was sent in the last 30 days, or is about to be, newest first. Rejects with not_found. */
export async function listDeliveries(
  deps: { webhooks: WebhookStore; deliveries: DeliveryStore; clock: Clock },
  input: { tenantId: string; webhookId: string; page: PageRequest },
): Promise<Page<Delivery>> {
  await findWebhook(deps, input);
  return deps.deliveries.list({ ...input, nowMs: deps.clock.nowMs() }, input.page);
}
