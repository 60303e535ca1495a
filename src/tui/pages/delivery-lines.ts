import type { Delivery, DeliveryStore } from "../../domain/webhooks/webhook.ts";
import { instant } from "../shown.ts";

/** A delivery with its attempts, each with the answer that it got, and what was sent. */
export async function deliveryLines(
  deps: { deliveries: Pick<DeliveryStore, "body"> },
  delivery: Delivery | null,
): Promise<string[] | null> {
  if (delivery === null) return null;
  const { tenantId, eventId, nextAttemptAtMs } = delivery;
  const body = await deps.deliveries.body(tenantId, eventId);
  return [
    `tenant    ${tenantId}`,
    `webhook   ${delivery.webhookId}`,
    `event     ${delivery.eventType} ${eventId}`,
    `status    ${delivery.status}`,
    `created   ${instant(delivery.createdAtMs)}`,
    ...(nextAttemptAtMs === null ? [] : [`next      ${instant(nextAttemptAtMs)}`]),
    "",
    "ATTEMPTS",
    ...attemptLines(delivery.attempts),
    "",
    "REQUEST",
    ...bodyLines(body === null ? null : Buffer.from(body).toString("utf8")),
  ];
}

export function attemptLines(attempts: Delivery["attempts"]): string[] {
  if (attempts.length === 0) return ["none yet"];
  return attempts.map(({ number, atMs, statusCode, durationMs, error }) =>
    [`${number}.`, instant(atMs), statusCode ?? "no answer", `${durationMs} ms`, error ?? ""]
      .join("  ")
      .trimEnd(),
  );
}

/** JSON is laid out, as it is to be read. */
export function bodyLines(body: string | null): string[] {
  if (body === null) return ["The body is no longer kept."];
  try {
    return JSON.stringify(JSON.parse(body), null, 2).split("\n");
  } catch {
    return body.split("\n");
  }
}
