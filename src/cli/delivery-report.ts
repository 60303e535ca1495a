import { isoInstant } from "../domain/clock.ts";
import { deliveryResource } from "../domain/webhooks/resource.ts";
import type { Delivery, DeliveryAttempt } from "../domain/webhooks/webhook.ts";
import { factLines, tableLines } from "./table.ts";

/** A list of deliveries for people: of the attempts only how many there were, and what came of the last. */
export function deliveryTable(deliveries: readonly Delivery[]): string[] {
  return tableLines(
    ["id", "event", "status", "attempts", "last answer", "next attempt", "created"],
    deliveries.map((delivery) => [
      delivery.id,
      delivery.eventType,
      delivery.status,
      delivery.attempts.length,
      answerOf(delivery.attempts.at(-1)),
      delivery.nextAttemptAtMs === null ? "-" : isoInstant(delivery.nextAttemptAtMs),
      isoInstant(delivery.createdAtMs),
    ]),
    { least: ["next attempt", "attempts"] },
  );
}

/** One delivery with every attempt. */
export function deliveryLines(delivery: Delivery): string[] {
  const { id, attempts, next_attempt_at, ...facts } = deliveryResource(delivery);
  const lines = factLines({
    id,
    webhook_id: delivery.webhookId,
    ...facts,
    next_attempt_at: next_attempt_at ?? "-",
  });
  if (attempts.length === 0) return [...lines, "", "There has been no attempt yet."];
  const rows = attempts.map((attempt) => [
    attempt.number,
    attempt.at,
    attempt.status_code ?? "-",
    `${attempt.duration_ms} ms`,
    attempt.error ?? "-",
  ]);
  return [...lines, "", ...tableLines(["attempt", "at", "status", "took", "error"], rows)];
}

function answerOf(attempt: DeliveryAttempt | undefined): string {
  if (attempt === undefined) return "-";
  return attempt.statusCode === null ? "none" : String(attempt.statusCode);
}
