import { type WebhookEventType, webhookEventTypes } from "../../domain/events/event.ts";
import type { JsonSchema } from "../route.ts";
import type { Components } from "./components.ts";
import { completedBatch } from "./examples/batches.ts";
import { ids, instants } from "./examples/ids.ts";
import { failedJob, finishedJob } from "./examples/jobs.ts";
import { pendingMessage } from "./examples/messages.ts";
import { pendingPass, revokingPass, updatingPass } from "./examples/passes.ts";
import { batchSchema } from "./schemas/batch.ts";
import { jobSchema } from "./schemas/job.ts";
import { messageSchema } from "./schemas/message.ts";
import { passSchema } from "./schemas/pass.ts";
import { described, instant, record, uuid } from "./schemas/scalars.ts";

type Event = { summary: string; data: JsonSchema; example: unknown };

const events: Readonly<Record<WebhookEventType, Event>> = {
  "pass.created": { summary: "A pass was accepted for creation", data: passSchema, example: pendingPass },
  "pass.updated": {
    summary: "A new version of a pass was accepted",
    data: passSchema,
    example: updatingPass,
  },
  "pass.revoked": { summary: "A revocation was accepted", data: passSchema, example: revokingPass },
  "message.sent": {
    summary: "A message was accepted for sending",
    data: messageSchema,
    example: pendingMessage,
  },
  "job.completed": { summary: "A job was carried out", data: jobSchema, example: finishedJob },
  "job.failed": { summary: "A job failed for good", data: jobSchema, example: failedJob },
  "batch.completed": { summary: "A batch was worked off", data: batchSchema, example: completedBatch },
};

/** The events as the document's `webhooks`: what a registered address must be ready to take. */
export function webhooksOf(components: Components): Record<string, unknown> {
  return Object.fromEntries(
    webhookEventTypes.map((type) => [type, { post: deliveryOf(type, events[type], components) }]),
  );
}

function deliveryOf(type: WebhookEventType, event: Event, components: Components) {
  const example = {
    id: ids.event,
    type,
    created_at: instants.created,
    tenant_id: ids.tenant,
    data: event.example,
  };
  return {
    operationId: `on${wordsOf(type)}`,
    tags: ["Webhooks"],
    summary: event.summary,
    description:
      "Sent to every active webhook that subscribes to it, at once and after 10 s, 1 min, 10 min and 1 h until an answer is 2xx; redirects are not followed. `data` is the resource as its GET answered at that moment. Order is not guaranteed.",
    security: [],
    parameters: deliveryHeaders(type, components),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: components.take(bodySchema(type, event.data)),
          examples: { usual: { summary: event.summary, value: example } },
        },
      },
    },
    responses: {
      "2XX": { description: "Delivered. The body is not looked at." },
      "4XX": {
        description: "Not delivered: tried again. `Retry-After` of a 429 is honoured within an hour.",
      },
      "5XX": {
        description: "Not delivered: tried again. `Retry-After` of a 503 is honoured within an hour.",
      },
    },
  };
}

function bodySchema(type: WebhookEventType, data: JsonSchema): JsonSchema {
  return record(`${wordsOf(type)}Event`, {
    id: described("The event's id, the same for every webhook.", uuid),
    type: { type: "string", const: type },
    created_at: instant,
    tenant_id: uuid,
    data,
  });
}

function deliveryHeaders(type: WebhookEventType, components: Components) {
  const header = (name: string, description: string, schema: JsonSchema, example: unknown) => ({
    name,
    in: "header",
    required: true,
    description,
    schema: components.take(schema),
    example,
  });
  return [
    header(
      "X-Service-Signature",
      "`sha256=` and the lower-case hex HMAC-SHA256 of the raw body, keyed with the webhook's secret. Compare in constant time.",
      { type: "string", pattern: "^sha256=[0-9a-f]{64}$", maxLength: 71 },
      `sha256=${"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}`,
    ),
    header("X-Service-Event", "The event's type.", { type: "string", const: type }, type),
    header(
      "X-Service-Delivery",
      "The delivery's id, the same over all attempts: skip what you have had.",
      uuid,
      ids.delivery,
    ),
    header("webhook-id", "The delivery's id, as Standard Webhooks names it.", uuid, ids.delivery),
    header(
      "webhook-timestamp",
      "When this attempt was made, in Unix seconds (Standard Webhooks).",
      { type: "string", pattern: "^[0-9]{10,12}$", maxLength: 12 },
      "1795243426",
    ),
    header(
      "webhook-signature",
      "`v1,` and the base64 HMAC-SHA256 of id, timestamp and body (Standard Webhooks). The key is the secret's bytes, or the base64 behind `whsec_`.",
      { type: "string", pattern: "^v1,[A-Za-z0-9+/]{43}=$", maxLength: 47 },
      "v1,n4bQgYhMfWWaLqgxVrQFaOTxsrC4Is0V1sFbDwCgg5k=",
    ),
    header(
      "User-Agent",
      "Who calls.",
      { type: "string", pattern: "^Passwright/[0-9A-Za-z.+-]+$", maxLength: 64 },
      "Passwright/0.1.0",
    ),
  ];
}

/** `pass.created` is «PassCreated». */
function wordsOf(type: string): string {
  return type
    .split(".")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
