import { webhookEventTypes } from "../../../domain/events/event.ts";
import { durationMs } from "./error.ts";
import {
  boolean,
  choice,
  described,
  instant,
  instantOrNull,
  integer,
  iri,
  listOf,
  record,
  text,
  textOrNull,
  uuid,
} from "./scalars.ts";

export const webhookSchema = record("WebhookResponse", {
  id: uuid,
  url: iri,
  events: {
    type: "array",
    minItems: 1,
    maxItems: webhookEventTypes.length,
    uniqueItems: true,
    items: choice(webhookEventTypes),
  },
  is_active: described("An inactive webhook gets nothing.", boolean),
  secret_prefix: described(
    "The first 4 characters of the secret, the rest of which is never shown.",
    text(4),
  ),
  created_at: instant,
});

export const webhookListSchema = listOf("WebhookListResponse", webhookSchema);

export const deliveryListSchema = listOf(
  "WebhookDeliveryListResponse",
  record("WebhookDelivery", {
    id: described("The header X-Service-Delivery, the same over all attempts.", uuid),
    event_id: uuid,
    event_type: choice(webhookEventTypes),
    status: described(
      "`dead_lettered`: the last attempt failed, there is no other.",
      choice(["pending", "delivered", "retrying", "dead_lettered"]),
    ),
    attempts: {
      type: "array",
      maxItems: 100,
      items: record("WebhookDeliveryAttempt", {
        number: integer(1, 2_147_483_647),
        at: instant,
        status_code: {
          type: ["integer", "null"],
          minimum: 100,
          maximum: 599,
          description: "null: there was no answer.",
        },
        duration_ms: durationMs,
        error: textOrNull(100_000),
      }),
    },
    next_attempt_at: instantOrNull,
    created_at: instant,
  }),
);
