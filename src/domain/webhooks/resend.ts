import type { Clock } from "../clock.ts";
import { PasswrightError } from "../errors.ts";
import { findDelivery, noSuchDelivery } from "./find-delivery.ts";
import type { Delivery, DeliveryStore, WebhookStore } from "./webhook.ts";

/**
 * Has a delivery sent once more, at once and whatever became of it, under the same ids and with as many attempts before
 * it as a new one. Answers with it as it then is. Rejects with not_found, or with invalid_state where it cannot be sent:
 * a worker is sending it, its webhook is gone or inactive, or its body is no longer kept.
 */
export async function resendDelivery(
  deps: {
    webhooks: Pick<WebhookStore, "find">;
    deliveries: Pick<DeliveryStore, "find" | "resend">;
    clock: Clock;
  },
  input: { tenantId: string; deliveryId: string },
): Promise<Delivery> {
  const delivery = await findDelivery(deps, input);
  const webhook = await deps.webhooks.find(input.tenantId, delivery.webhookId);
  // The worker would refuse both, too, and leave another dead letter.
  if (webhook === null) {
    throw refused("Its webhook was deleted: there is no address to send it to.");
  }
  if (!webhook.isActive) {
    throw refused(`Its webhook ${webhook.id} is not active. Set is_active to true first (PATCH /webhooks).`);
  }
  switch (await deps.deliveries.resend(delivery, deps.clock.nowMs())) {
    case "queued":
      return findDelivery(deps, input);
    case "in_hand":
      throw refused(
        "A worker is sending it right now. Look at what comes of that, then try again; if the worker has died, its lease ends within seconds.",
      );
    case "bodiless":
      throw refused(
        "The body of its event is older than 30 days and no longer kept: it cannot be sent again.",
      );
    case "gone":
      throw noSuchDelivery(input.deliveryId);
  }
}

function refused(why: string): PasswrightError {
  return new PasswrightError("invalid_state", why);
}
