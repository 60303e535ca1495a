import type { Clock } from "../clock.ts";
import { isUuid } from "../ids.ts";
import { noSuchWebhook } from "./find.ts";
import { listDeliveries } from "./list-deliveries.ts";
import type { Delivery, DeliveryStatus, DeliveryStore, WebhookStore } from "./webhook.ts";

const pageSize = 500;

/** The newest `limit` deliveries of a webhook, of one status where it is given. Rejects with not_found. */
export async function siftDeliveries(
  deps: { webhooks: WebhookStore; deliveries: DeliveryStore; clock: Clock },
  input: { tenantId: string; webhookId: string; status: DeliveryStatus | null; limit: number },
): Promise<Delivery[]> {
  const { tenantId, webhookId, status, limit } = input;
  if (!isUuid(webhookId)) throw noSuchWebhook();
  // By id: deliveries that are made meanwhile push others onto the next page.
  const found = new Map<string, Delivery>();
  for (let page = 1; ; page++) {
    const { items, total } = await listDeliveries(deps, { tenantId, webhookId, page: { page, pageSize } });
    for (const delivery of items) {
      if (status !== null && delivery.status !== status) continue;
      found.set(delivery.id, delivery);
      if (found.size === limit) return [...found.values()];
    }
    if (page * pageSize >= total) return [...found.values()];
  }
}
