import { isoInstant } from "../clock.ts";
import type { Delivery, DeliveryAttempt, Webhook } from "./webhook.ts";

/** A webhook as the API shows it; of the secret only the beginning. */
export function webhookResource(webhook: Webhook) {
  return {
    id: webhook.id,
    url: webhook.url,
    events: webhook.events,
    is_active: webhook.isActive,
    secret_prefix: webhook.secretPrefix,
    created_at: isoInstant(webhook.createdAtMs),
  };
}

/** As many as the API's document allows for. Only a delivery that was sent again many times has more. */
const mostAttemptsShown = 100;

/** A delivery as the API shows it; of its attempts the latest. */
export function deliveryResource(delivery: Delivery) {
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    status: delivery.status,
    attempts: delivery.attempts.slice(-mostAttemptsShown).map(attemptResource),
    next_attempt_at: delivery.nextAttemptAtMs === null ? null : isoInstant(delivery.nextAttemptAtMs),
    created_at: isoInstant(delivery.createdAtMs),
  };
}

function attemptResource(attempt: DeliveryAttempt) {
  return {
    number: attempt.number,
    at: isoInstant(attempt.atMs),
    status_code: attempt.statusCode,
    duration_ms: attempt.durationMs,
    error: attempt.error,
  };
}
