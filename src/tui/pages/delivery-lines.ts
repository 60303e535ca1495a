import { plainHeaders } from "../../domain/webhooks/sign.ts";
import type { Delivery, DeliveryStore, WebhookStore } from "../../domain/webhooks/webhook.ts";
import { instant } from "../shown.ts";

export type DeliveryLooks = {
  deliveries: Pick<DeliveryStore, "body">;
  webhooks: Pick<WebhookStore, "find">;
};

/** A delivery with its attempts, each with the answer that it got, and what was sent. */
export async function deliveryLines(
  deps: DeliveryLooks,
  delivery: Delivery | null,
): Promise<string[] | null> {
  if (delivery === null) return null;
  const { tenantId, eventId, nextAttemptAtMs } = delivery;
  return [
    `tenant    ${tenantId}`,
    `webhook   ${delivery.webhookId}`,
    `event     ${delivery.eventType} ${eventId}`,
    `status    ${delivery.status}`,
    `created   ${instant(delivery.createdAtMs)}`,
    ...(nextAttemptAtMs === null ? [] : [`next      ${instant(nextAttemptAtMs)}`]),
    ...(await exchangeLines(deps, delivery)),
  ];
}

/** Every attempt with its answer, and the request that they all are. */
export async function exchangeLines(
  { deliveries, webhooks }: DeliveryLooks,
  delivery: Pick<Delivery, "id" | "tenantId" | "webhookId" | "eventId" | "eventType" | "attempts">,
): Promise<string[]> {
  const { id, tenantId, attempts } = delivery;
  const [webhook, body] = await Promise.all([
    webhooks.find(tenantId, delivery.webhookId),
    deliveries.body(tenantId, delivery.eventId),
  ]);
  const last = attempts.at(-1);
  const headers = plainHeaders({
    ...{ deliveryId: id, eventType: delivery.eventType },
    nowMs: last?.atMs ?? 0,
  });
  const shown = Object.entries({
    "Content-Type": "application/json",
    ...headers,
    "webhook-timestamp": last === undefined ? "(the attempt's)" : headers["webhook-timestamp"],
    "X-Service-Signature": "sha256=(not shown)",
    "webhook-signature": "v1,(not shown)",
  });
  return [
    "",
    "ATTEMPTS AND ANSWERS (of an answer its status is kept, its body is not)",
    ...attemptLines(attempts),
    "",
    `REQUEST${last === undefined ? "" : ` of attempt ${last.number}`}`,
    `POST ${webhook?.url ?? "(the webhook was deleted)"}`,
    ...shown.map(([name, value]) => `${name}: ${value}`),
    "",
    ...bodyLines(body === null ? null : Buffer.from(body).toString("utf8")),
  ];
}

function attemptLines(attempts: Delivery["attempts"]): string[] {
  if (attempts.length === 0) return ["none yet"];
  return attempts.map(({ number, atMs, statusCode, durationMs, error }) =>
    [`${number}.`, instant(atMs), statusCode ?? "no answer", `${durationMs} ms`, error ?? ""]
      .join("  ")
      .trimEnd(),
  );
}

/** JSON is laid out, as it is to be read. */
function bodyLines(body: string | null): string[] {
  if (body === null) return ["The body is no longer kept."];
  try {
    return JSON.stringify(JSON.parse(body), null, 2).split("\n");
  } catch {
    return body.split("\n");
  }
}
