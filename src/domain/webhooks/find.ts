import { PasswrightError } from "../errors.ts";
import type { Webhook, WebhookStore } from "./webhook.ts";

/** A webhook of the tenant, or not_found. */
export async function findWebhook(
  deps: { webhooks: Pick<WebhookStore, "find"> },
  input: { tenantId: string; webhookId: string },
): Promise<Webhook> {
  const webhook = await deps.webhooks.find(input.tenantId, input.webhookId);
  if (webhook === null) throw noSuchWebhook();
  return webhook;
}

export function noSuchWebhook(): PasswrightError {
  return new PasswrightError("not_found", "There is no webhook with this id.");
}
