import { isoInstant } from "../clock.ts";
import type { Webhook } from "./webhook.ts";

/** A webhook as the API shows it; of the secret only the beginning. */
export function webhookResource(webhook: Webhook) {
  return {
    id: webhook.id,
    url: webhook.url,
    events: webhook.events,
    is_active: webhook.isActive,
    secret_prefix: webhook.secretPrefix,
    created_at: isoInstant(webhook.createdAtMs),
  };
}
