import { type WebhookEventType, webhookEventTypes } from "../../domain/events/event.ts";
import { createWebhook } from "../../domain/webhooks/create.ts";
import { findWebhook } from "../../domain/webhooks/find.ts";
import { listDeliveries } from "../../domain/webhooks/list-deliveries.ts";
import { removeWebhook } from "../../domain/webhooks/remove.ts";
import { deliveryResource, webhookResource } from "../../domain/webhooks/resource.ts";
import { updateWebhook } from "../../domain/webhooks/update.ts";
import { ok } from "../openapi/answers.ts";
import {
  deliveryList,
  updatedWebhook,
  webhook as webhookExample,
  webhookList,
  webhookToCreate,
  webhookToUpdate,
} from "../openapi/examples/webhooks.ts";
import { deliveryListSchema, webhookListSchema, webhookSchema } from "../openapi/schemas/webhook.ts";
import { listReply, type PageQuery, pageOf, pageParameters, querySchema } from "../query.ts";
import { replayMark } from "../replayed.ts";
import { checked, guarded } from "../route.ts";

const members = {
  url: {
    type: "string",
    format: "webhook-url",
    maxLength: 2048,
    description: "https, without user info and fragment.",
  },
  events: {
    type: "array",
    minItems: 1,
    maxItems: webhookEventTypes.length,
    uniqueItems: true,
    description: "The types of events to be told of.",
    items: { type: "string", enum: webhookEventTypes },
  },
  secret: {
    type: "string",
    format: "webhook-secret",
    minLength: 8,
    maxLength: 255,
    description: "The key of the signatures. Never shown again.",
  },
};

type CreateBody = { url: string; events: WebhookEventType[]; secret: string };

const createBody = checked<CreateBody>({
  title: "WebhookCreateRequest",
  type: "object",
  additionalProperties: false,
  required: ["url", "events", "secret"],
  properties: members,
});

const updateBody = checked<Partial<CreateBody> & { is_active?: boolean }>({
  title: "WebhookUpdateRequest",
  type: "object",
  additionalProperties: false,
  properties: { ...members, is_active: { type: "boolean", description: "false: nothing is sent any more." } },
});

const listQuery = checked<PageQuery>(querySchema(pageParameters));

const createdWebhook = {
  status: 201,
  description: "The webhook is registered.",
  schema: webhookSchema,
  example: webhookExample,
  headers: ["Location"],
} as const;

export const webhookRoutes = [
  guarded({
    method: "POST",
    path: "/api/v1/webhooks",
    operationId: "createWebhook",
    tag: "Webhooks",
    summary: "Register a webhook",
    description:
      "Registers an address for events. It must be https, and must not lead to a private network. `secret` is yours to choose; every delivery is signed with it, and it is never shown again. One that begins with `whsec_` must go on in base64.",
    examples: { passes: { summary: "Everything about passes", value: webhookToCreate } },
    answers: [createdWebhook],
    errors: ["too_many_webhooks"],
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
          ...replayMark(created.replayed),
        },
      };
    },
  }),
  guarded({
    method: "GET",
    path: "/api/v1/webhooks",
    operationId: "listWebhooks",
    tag: "Webhooks",
    summary: "List webhooks, newest first",
    description: "Lists the tenant's webhooks.",
    answers: [ok("A page of webhooks.", webhookListSchema, webhookList)],
    access: "webhooks:write",
    query: listQuery,
    async handle({ query, claims }, { webhooks }) {
      const page = pageOf(query);
      const { items, total } = await webhooks.list(claims.tenantId, page);
      return listReply(items.map(webhookResource), total, page);
    },
  }),
  guarded({
    method: "GET",
    path: "/api/v1/webhooks/{id}",
    operationId: "getWebhook",
    tag: "Webhooks",
    summary: "Read a webhook",
    description: "Reads a webhook; of its secret only the beginning.",
    answers: [ok("The webhook.", webhookSchema, webhookExample)],
    access: "webhooks:write",
    async handle({ params, claims }, deps) {
      const webhook = await findWebhook(deps, { tenantId: claims.tenantId, webhookId: params.id ?? "" });
      return { status: 200, body: webhookResource(webhook) };
    },
  }),
  guarded({
    method: "PATCH",
    path: "/api/v1/webhooks/{id}",
    operationId: "updateWebhook",
    tag: "Webhooks",
    summary: "Change a webhook; an inactive one gets nothing, and an empty body changes nothing",
    description:
      "Takes any of the members. What waits to be delivered goes to the new address, signed with the new secret.",
    examples: { events: { summary: "Other events", value: webhookToUpdate } },
    answers: [ok("The webhook as it is now.", webhookSchema, updatedWebhook)],
    access: "webhooks:write",
    idempotent: true,
    body: updateBody,
    async handle({ params, body, claims, idempotency }, deps) {
      const { is_active: isActive, ...rest } = body;
      const changed = await updateWebhook(deps, {
        tenantId: claims.tenantId,
        webhookId: params.id ?? "",
        changes: { ...rest, ...(isActive !== undefined && { isActive }) },
        idempotency,
      });
      return { status: 200, body: changed.body, headers: replayMark(changed.replayed) };
    },
  }),
  guarded({
    method: "DELETE",
    path: "/api/v1/webhooks/{id}",
    operationId: "deleteWebhook",
    tag: "Webhooks",
    summary: "Delete a webhook with its delivery history; what waits is not sent any more",
    description: "Deletes the webhook at once.",
    answers: [{ status: 204, description: "The webhook is gone.", schema: null }],
    access: "webhooks:write",
    idempotent: true,
    async handle({ params, claims, idempotency }, deps) {
      const removed = await removeWebhook(deps, {
        tenantId: claims.tenantId,
        webhookId: params.id ?? "",
        idempotency,
      });
      return { status: 204, headers: replayMark(removed.replayed) };
    },
  }),
  guarded({
    method: "GET",
    path: "/api/v1/webhooks/{id}/deliveries",
    operationId: "listWebhookDeliveries",
    tag: "Webhooks",
    summary: "List a webhook's deliveries of the last 30 days, newest first",
    description:
      "Every delivery with all of its attempts. A webhook's answer must be 2xx within 30 seconds; after the fifth attempt a delivery is dead-lettered.",
    answers: [ok("A page of deliveries.", deliveryListSchema, deliveryList)],
    access: "webhooks:write",
    query: listQuery,
    async handle({ params, query, claims }, deps) {
      const page = pageOf(query);
      const input = { tenantId: claims.tenantId, webhookId: params.id ?? "", page };
      const { items, total } = await listDeliveries(deps, input);
      return listReply(items.map(deliveryResource), total, page);
    },
  }),
];
