import { type WebhookEventType, webhookEventTypes } from "../../domain/events/event.ts";
import { createWebhook } from "../../domain/webhooks/create.ts";
import { checked, guarded } from "../route.ts";

const createBody = checked<{ url: string; events: WebhookEventType[]; secret: string }>({
  type: "object",
  additionalProperties: false,
  required: ["url", "events", "secret"],
  properties: {
    url: { type: "string", minLength: 1, maxLength: 2048, pattern: "^https://" },
    events: {
      type: "array",
      minItems: 1,
      uniqueItems: true,
      items: { type: "string", enum: webhookEventTypes },
    },
    secret: { type: "string", minLength: 8, maxLength: 255 },
  },
});

export const webhookRoutes = [
  guarded({
    method: "POST",
    path: "/api/v1/webhooks",
    summary: "Register a webhook",
    access: "webhooks:write",
    idempotent: true,
    body: createBody,
    async handle({ body, claims, idempotency }, deps) {
      const created = await createWebhook(deps, { tenantId: claims.tenantId, ...body, idempotency });
      return {
        status: 201,
        body: created.body,
        headers: {
          Location: `${deps.baseUrl}/api/v1/webhooks/${created.id}`,
          ...(created.replayed && { "Idempotent-Replayed": "true" }),
        },
      };
    },
  }),
];
