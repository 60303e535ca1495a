import type { Clock } from "../clock.ts";
import { invalidRequest, PasswrightError } from "../errors.ts";
import type { WebhookEventType } from "../events/event.ts";
import { type IdempotencyClaim, type IdempotencyStore, keyReused, recallAnswer } from "../idempotency.ts";
import type { Ids } from "../ids.ts";
import { webhookResource } from "./resource.ts";
import { secretViolations } from "./sign.ts";
import { type TargetPolicy, urlViolations } from "./target-url.ts";
import { maxWebhooksPerTenant, secretPrefix, type Webhook, type WebhookStore } from "./webhook.ts";

/** Registers a webhook. `body` is the JSON of the 201. Rejects with invalid_request, too_many_webhooks or idempotency_key_reused. */
export async function createWebhook(
  deps: {
    webhooks: WebhookStore;
    webhookTargets: TargetPolicy;
    idempotency: IdempotencyStore;
    ids: Ids;
    clock: Clock;
  },
  input: {
    tenantId: string;
    url: string;
    events: WebhookEventType[];
    secret: string;
    idempotency: IdempotencyClaim | null;
  },
): Promise<{ body: string; id: string; replayed: boolean }> {
  const kept = await recallAnswer(deps, input.tenantId, input.idempotency);
  if (kept !== null) return replay(kept);
  const violations = [
    ...(await urlViolations(deps.webhookTargets, input.url)),
    ...secretViolations(input.secret),
  ];
  if (violations.length > 0) throw invalidRequest(violations);
  const webhook: Webhook = {
    id: deps.ids.uuid(),
    tenantId: input.tenantId,
    url: input.url,
    events: input.events,
    isActive: true,
    secretPrefix: secretPrefix(input.secret),
    createdAtMs: deps.clock.nowMs(),
  };
  const body = JSON.stringify(webhookResource(webhook));
  const result = await deps.webhooks.create({
    webhook,
    secret: input.secret,
    idempotency: input.idempotency,
    response: body,
  });
  switch (result.outcome) {
    case "created":
      return { body, id: webhook.id, replayed: false };
    case "too_many":
      throw new PasswrightError(
        "too_many_webhooks",
        `A tenant has at most ${maxWebhooksPerTenant} webhooks. Delete one that is no longer needed.`,
      );
    case "replayed":
      return replay(result.response);
    case "key_reused":
      throw keyReused();
  }
}

function replay(body: string) {
  return { body, id: JSON.parse(body).id as string, replayed: true };
}
