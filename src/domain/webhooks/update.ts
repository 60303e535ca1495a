import { invalidRequest } from "../errors.ts";
import type { WebhookEventType } from "../events/event.ts";
import { type IdempotencyClaim, type IdempotencyStore, keyReused, recallAnswer } from "../idempotency.ts";
import { findWebhook, noSuchWebhook } from "./find.ts";
import { webhookResource } from "./resource.ts";
import { secretViolations } from "./sign.ts";
import { type TargetPolicy, urlViolations } from "./target-url.ts";
import { secretPrefix, type Webhook, type WebhookStore } from "./webhook.ts";

/** What is absent stays as it is; without any member nothing changes. */
export type WebhookChanges = {
  url?: string;
  events?: WebhookEventType[];
  secret?: string;
  isActive?: boolean;
};

/**
 * Changes a webhook. `body` is the JSON of the 200. What is being sent at that moment is not called back; every later
 * attempt, of older deliveries too, goes to the new address and is signed with the new secret.
 * Rejects with invalid_request, not_found or idempotency_key_reused.
 */
export async function updateWebhook(
  deps: { webhooks: WebhookStore; webhookTargets: TargetPolicy; idempotency: IdempotencyStore },
  input: {
    tenantId: string;
    webhookId: string;
    changes: WebhookChanges;
    idempotency: IdempotencyClaim | null;
  },
): Promise<{ body: string; replayed: boolean }> {
  const earlier = await recallAnswer(deps, input.tenantId, input.idempotency);
  if (earlier !== null) return { body: earlier, replayed: true };
  const { changes, idempotency } = input;
  const violations = [
    ...(changes.url === undefined ? [] : await urlViolations(deps.webhookTargets, changes.url)),
    ...(changes.secret === undefined ? [] : secretViolations(changes.secret)),
  ];
  if (violations.length > 0) throw invalidRequest(violations);
  // The answer is stored with the change, so it is made from what was read, and both stand only if that still does.
  for (;;) {
    const before = await findWebhook(deps, input);
    const after = withChanges(before, changes);
    const body = JSON.stringify(webhookResource(after));
    const result = await deps.webhooks.update({
      before,
      after,
      secret: changes.secret ?? null,
      closesBreaker: changes.url !== undefined || changes.isActive !== undefined,
      idempotency,
      response: body,
    });
    switch (result.outcome) {
      case "updated":
        return { body, replayed: false };
      case "changed":
        // Somebody else's change was written, so all together get on.
        break;
      case "not_found":
        throw noSuchWebhook();
      case "replayed":
        return { body: result.response, replayed: true };
      case "key_reused":
        throw keyReused();
    }
  }
}

function withChanges(webhook: Webhook, { url, events, secret, isActive }: WebhookChanges): Webhook {
  return {
    ...webhook,
    url: url ?? webhook.url,
    events: events ?? webhook.events,
    isActive: isActive ?? webhook.isActive,
    secretPrefix: secret === undefined ? webhook.secretPrefix : secretPrefix(secret),
  };
}
