import type { Clock } from "../clock.ts";
import { invalidRequest, PasswrightError, type Violation } from "../errors.ts";
import type { WebhookEventType } from "../events/event.ts";
import { type IdempotencyClaim, type IdempotencyStore, keyReused, recallAnswer } from "../idempotency.ts";
import type { Ids } from "../ids.ts";
import { webhookResource } from "./resource.ts";
import { isUsableSecret } from "./sign.ts";
import { maxWebhooksPerTenant, type Webhook, type WebhookStore } from "./webhook.ts";

/** Tells why an address must not be called, or null when it may be as far as can be told without dialling. */
export type TargetPolicy = { refusal(url: URL): Promise<string | null> };

/** Registers a webhook. `body` is the JSON of the 201. */
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
  if (kept !== null) return { body: kept, id: JSON.parse(kept).id, replayed: true };
  const violations = await urlViolations(deps.webhookTargets, input.url);
  if (!isUsableSecret(input.secret)) {
    violations.push({ path: "/secret", message: "must have base64 behind whsec_" });
  }
  if (violations.length > 0) throw invalidRequest(violations);
  const webhook: Webhook = {
    id: deps.ids.uuid(),
    tenantId: input.tenantId,
    url: input.url,
    events: input.events,
    isActive: true,
    secretPrefix: [...input.secret].slice(0, 4).join(""),
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
    case "replayed":
      return { body: result.response, id: JSON.parse(result.response).id, replayed: true };
    case "key_reused":
      throw keyReused();
    case "too_many":
      throw new PasswrightError(
        "too_many_webhooks",
        `A tenant has at most ${maxWebhooksPerTenant} webhooks. Delete one that is no longer needed.`,
      );
  }
}

async function urlViolations(targets: TargetPolicy, text: string): Promise<Violation[]> {
  const fault = (message: string): Violation[] => [{ path: "/url", message }];
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return fault("must be an absolute URL");
  }
  if (url.protocol !== "https:") return fault("must begin with https://");
  if (url.username !== "" || url.password !== "") return fault("must not hold a user name or password");
  if (text.includes("#")) return fault("must not have a fragment");
  const refusal = await targets.refusal(url);
  return refusal === null ? [] : fault(refusal);
}
