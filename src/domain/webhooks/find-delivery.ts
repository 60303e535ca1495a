import { PasswrightError } from "../errors.ts";
import { isUuid } from "../ids.ts";
import type { Delivery, DeliveryStore } from "./webhook.ts";

/** A delivery of the tenant, also of a webhook that was deleted, or not_found. */
export async function findDelivery(
  deps: { deliveries: Pick<DeliveryStore, "find"> },
  input: { tenantId: string; deliveryId: string },
): Promise<Delivery> {
  const { tenantId, deliveryId } = input;
  const delivery = isUuid(deliveryId) ? await deps.deliveries.find(tenantId, deliveryId) : null;
  if (delivery === null) throw noSuchDelivery(deliveryId);
  return delivery;
}

export function noSuchDelivery(id: string): PasswrightError {
  return new PasswrightError(
    "not_found",
    `The tenant has no delivery ${id}. One that was delivered is kept for 30 days.`,
  );
}
