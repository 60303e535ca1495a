import type { WebhookEventType } from "../domain/events/event.ts";
import { idempotencyRetentionSeconds } from "../domain/idempotency.ts";
import { maxWebhooksPerTenant, type Webhook, type WebhookStore } from "../domain/webhooks/webhook.ts";
import { asUnavailable } from "./connection.ts";
import type { StoreParts } from "./store.ts";

export function createWebhookStore({ connection, keys, run, vault }: StoreParts): WebhookStore {
  const place = (tenantId: string, id: string) => ({ tenantId, type: "webhook", id });
  return {
    async create({ webhook, secret, idempotency, response }) {
      const { tenantId } = webhook;
      const reply = (await run(
        "create-webhook",
        [
          keys.idempotency(tenantId, idempotency?.scope ?? ""),
          keys.webhook(tenantId, webhook.id),
          keys.webhooks(tenantId),
          ...webhook.events.map((type) => keys.webhooksByType(tenantId, type)),
        ],
        [
          idempotency?.fingerprint ?? "",
          response,
          idempotencyRetentionSeconds,
          webhook.id,
          webhook.createdAtMs,
          maxWebhooksPerTenant,
          ...["url", webhook.url, "events", webhook.events.join(" "), "is_active", "1"],
          ...["secret", vault.seal(secret, place(tenantId, webhook.id))],
          ...["secret_prefix", webhook.secretPrefix, "created_at", webhook.createdAtMs],
        ],
      )) as ["created" | "replayed" | "key_reused" | "too_many", string];
      if (reply[0] === "replayed") return { outcome: "replayed", response: reply[1] };
      return { outcome: reply[0] };
    },

    async find(tenantId, webhookId) {
      try {
        const hash = await connection.hgetall(keys.webhook(tenantId, webhookId));
        return fromHash(tenantId, webhookId, hash);
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async secret(tenantId, webhookId) {
      try {
        const sealed = await connection.hget(keys.webhook(tenantId, webhookId), "secret");
        return sealed === null ? null : vault.open(sealed, place(tenantId, webhookId));
      } catch (error) {
        throw asUnavailable(error);
      }
    },
  };
}

function fromHash(tenantId: string, id: string, hash: Record<string, string>): Webhook | null {
  if (hash.url === undefined) return null;
  return {
    id,
    tenantId,
    url: hash.url,
    events: (hash.events ?? "").split(" ") as WebhookEventType[],
    isActive: hash.is_active === "1",
    secretPrefix: hash.secret_prefix ?? "",
    createdAtMs: Number(hash.created_at),
  };
}
