import { type IdempotencyClaim, keyReused } from "../idempotency.ts";
import { noSuchWebhook } from "./find.ts";
import type { WebhookStore } from "./webhook.ts";

/**
 * Deletes a webhook with its delivery history. What is being sent at that moment is not called back; deliveries that
 * wait become dead letters when their time comes, without a call. Rejects with not_found or idempotency_key_reused.
 */
export async function removeWebhook(
  deps: { webhooks: WebhookStore },
  input: { tenantId: string; webhookId: string; idempotency: IdempotencyClaim | null },
): Promise<{ replayed: boolean }> {
  const { tenantId, webhookId: id, idempotency } = input;
  const result = await deps.webhooks.remove({ id, tenantId }, idempotency);
  switch (result.outcome) {
    case "deleted":
      return { replayed: false };
    case "not_found":
      throw noSuchWebhook();
    case "replayed":
      return { replayed: true };
    case "key_reused":
      throw keyReused();
  }
}
