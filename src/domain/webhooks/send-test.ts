import type { Clock } from "../clock.ts";
import { invalidRequest } from "../errors.ts";
import { eventBody } from "../events/body.ts";
import type { WebhookEventType } from "../events/event.ts";
import { type Ids, isUuid } from "../ids.ts";
import type { WebhookSender } from "./deliver.ts";
import { findWebhook, noSuchWebhook } from "./find.ts";
import { madeUpResource } from "./made-up.ts";
import { remedyOf } from "./remedy.ts";
import { signatureHeaders } from "./sign.ts";
import type { Webhook, WebhookStore } from "./webhook.ts";

export type DeliveryTest = {
  webhook: Webhook;
  deliveryId: string;
  eventType: WebhookEventType;
  statusCode: number | null;
  durationMs: number;
  /** What went wrong, and what to do about it; null after a 2xx. */
  failure: { error: string; remedy: string } | null;
};

/**
 * Sends a webhook one delivery about something made up, signed and posted as real ones are, and writes nothing down.
 * `eventType` null: the first that the webhook is subscribed to. An inactive webhook is tested, too: so it can be tried
 * before it is switched on. Rejects with not_found, and with invalid_request for a type that it does not hear of.
 */
export async function sendTestDelivery(
  deps: {
    webhooks: Pick<WebhookStore, "find" | "target">;
    webhookSender: WebhookSender;
    ids: Ids;
    clock: Clock;
  },
  input: { tenantId: string; webhookId: string; eventType: WebhookEventType | null },
): Promise<DeliveryTest> {
  const { tenantId, webhookId } = input;
  if (!isUuid(webhookId)) throw noSuchWebhook();
  const webhook = await findWebhook(deps, input);
  const target = await deps.webhooks.target(tenantId, webhookId);
  if (target === null) throw noSuchWebhook();
  const eventType = subscribedType(webhook, input.eventType);
  const startedAtMs = deps.clock.nowMs();
  const body = eventBody({
    id: deps.ids.uuid(),
    type: eventType,
    tenantId,
    atMs: startedAtMs,
    resource: JSON.stringify(madeUpResource(eventType, tenantId, startedAtMs)),
  });
  const deliveryId = deps.ids.uuid();
  const { url, secret } = target;
  const headers = signatureHeaders({ deliveryId, eventType, body, secret, nowMs: startedAtMs });
  const answer = await deps.webhookSender.post(url, headers, body, new AbortController().signal);
  const statusCode = "statusCode" in answer ? answer.statusCode : null;
  const delivered = statusCode !== null && statusCode >= 200 && statusCode < 300;
  const error = "error" in answer ? answer.error : `answered ${answer.statusCode}`;
  return {
    webhook,
    deliveryId,
    eventType,
    statusCode,
    durationMs: deps.clock.nowMs() - startedAtMs,
    failure: delivered ? null : { error, remedy: remedyOf(answer) },
  };
}

function subscribedType(webhook: Webhook, wanted: WebhookEventType | null): WebhookEventType {
  const type = webhook.events.find((each) => wanted === null || each === wanted);
  if (type !== undefined) return type;
  const message = `must be one that the webhook is subscribed to: ${webhook.events.join(", ")}`;
  throw invalidRequest([{ path: "--event", message }]);
}
