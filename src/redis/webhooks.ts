import { LRUCache } from "lru-cache";
import { type WebhookEventType, webhookEventTypes } from "../domain/events/event.ts";
import { idempotencyRetentionSeconds } from "../domain/idempotency.ts";
import { maxWebhooksPerTenant, type Webhook, type WebhookStore } from "../domain/webhooks/webhook.ts";
import { breakerName } from "./breakers.ts";
import { asUnavailable } from "./connection.ts";
import { newestFirst } from "./pages.ts";
import { readTogether } from "./read-together.ts";
import type { StoreParts } from "./store.ts";

/** So many secrets are kept as they were decrypted. */
const mostOpened = 1000;

export function createWebhookStore({ connection, keys, run, vault }: StoreParts): WebhookStore {
  const place = (tenantId: string, id: string) => ({ tenantId, type: "webhook", id });
  const subscriptions = (tenantId: string): string[] =>
    webhookEventTypes.map((type) => keys.webhooksByType(tenantId, type));

  const read = async (key: string): Promise<Record<string, string>> => {
    try {
      return await connection.hgetall(key);
    } catch (error) {
      throw asUnavailable(error);
    }
  };
  // Of many deliveries that a worker takes at once, most go to the same few.
  const readTarget = readTogether((keys) => Promise.all(keys.map(read)));
  // By what is sealed, so that what is changed is opened anew; decrypting takes longer than all else here.
  const opened = new LRUCache<string, string>({ max: mostOpened });
  const open = (sealed: string, tenantId: string, webhookId: string): string => {
    const known = opened.get(`${webhookId} ${sealed}`);
    if (known !== undefined) return known;
    const secret = vault.open(sealed, place(tenantId, webhookId));
    opened.set(`${webhookId} ${sealed}`, secret);
    return secret;
  };
  const find = async (tenantId: string, webhookId: string): Promise<Webhook | null> =>
    fromHash(tenantId, webhookId, await read(keys.webhook(tenantId, webhookId)));

  return {
    find,

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
          ...Object.entries(toFields(webhook)).flat(),
          ...["secret", vault.seal(secret, place(tenantId, webhook.id)), "created_at", webhook.createdAtMs],
        ],
      )) as ["created" | "replayed" | "key_reused" | "too_many", string];
      return reply[0] === "replayed" ? { outcome: reply[0], response: reply[1] } : { outcome: reply[0] };
    },

    async update({ before, after, secret, closesBreaker, idempotency, response }) {
      const { tenantId, id } = before;
      const old = toFields(before);
      const changed = Object.entries(toFields(after)).filter(([name, text]) => old[name] !== text);
      if (secret !== null) changed.push(["secret", vault.seal(secret, place(tenantId, id))]);
      const subscribed = webhookEventTypes.map((type) => after.isActive && after.events.includes(type));
      const reply = (await run(
        "update-webhook",
        [
          keys.idempotency(tenantId, idempotency?.scope ?? ""),
          keys.webhook(tenantId, id),
          keys.breakers(keys.partitionOf(tenantId)),
          keys.parked(tenantId, id),
          ...subscriptions(tenantId),
        ],
        [
          idempotency?.fingerprint ?? "",
          response,
          idempotencyRetentionSeconds,
          id,
          ...[old.url ?? "", old.events ?? "", old.is_active ?? "", old.secret_prefix ?? ""],
          ...[breakerName(tenantId, id), closesBreaker ? 1 : 0],
          subscribed.map((yes) => (yes ? "1" : "0")).join(""),
          ...changed.flat(),
        ],
      )) as ["updated" | "replayed" | "key_reused" | "not_found" | "changed", string];
      return reply[0] === "replayed" ? { outcome: reply[0], response: reply[1] } : { outcome: reply[0] };
    },

    async remove({ tenantId, id }, idempotency) {
      const reply = (await run(
        "delete-webhook",
        [
          keys.idempotency(tenantId, idempotency?.scope ?? ""),
          keys.webhook(tenantId, id),
          keys.webhooks(tenantId),
          keys.deliveries(tenantId, id),
          keys.breakers(keys.partitionOf(tenantId)),
          keys.parked(tenantId, id),
          ...subscriptions(tenantId),
        ],
        [idempotency?.fingerprint ?? "", idempotencyRetentionSeconds, id, breakerName(tenantId, id)],
      )) as ["deleted" | "replayed" | "key_reused" | "not_found", string];
      return reply[0] === "replayed" ? { outcome: reply[0], response: reply[1] } : { outcome: reply[0] };
    },

    async list(tenantId, page) {
      const { items, total } = await newestFirst(connection, keys.webhooks(tenantId), page);
      const webhooks = await Promise.all(items.map((id) => find(tenantId, id)));
      return { items: webhooks.filter((webhook) => webhook !== null), total };
    },

    async target(tenantId, webhookId) {
      const {
        url,
        is_active,
        secret,
        reset = "0",
        opened_at,
        failures,
      } = await readTarget(keys.webhook(tenantId, webhookId));
      if (url === undefined || secret === undefined) return null;
      return {
        url,
        isActive: is_active === "1",
        secret: open(secret, tenantId, webhookId),
        breaker: { isOpen: opened_at !== undefined, hasFailures: failures !== undefined, reset },
      };
    },
  };
}

/** What a change may touch, but for the secret itself. */
function toFields(webhook: Webhook): Record<string, string> {
  return {
    url: webhook.url,
    events: webhook.events.join(" "),
    is_active: webhook.isActive ? "1" : "0",
    secret_prefix: webhook.secretPrefix,
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
