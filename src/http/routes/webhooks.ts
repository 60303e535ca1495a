import { type WebhookEventType, webhookEventTypes } from "../../domain/events/event.ts";
import { createWebhook } from "../../domain/webhooks/create.ts";
import { findWebhook } from "../../domain/webhooks/find.ts";
import { listDeliveries } from "../../domain/webhooks/list-deliveries.ts";
import { removeWebhook } from "../../domain/webhooks/remove.ts";
import { deliveryResource, webhookResource } from "../../domain/webhooks/resource.ts";
import { updateWebhook } from "../../domain/webhooks/update.ts";
import { listReply, type PageQuery, pageOf, pageParameters, querySchema } from "../query.ts";
import { checked, guarded } from "../route.ts";

const members = {
  url: { type: "string", maxLength: 2048, format: "webhook-url" },
  events: {
    type: "array",
    minItems: 1,
    uniqueItems: true,
    items: { type: "string", enum: webhookEventTypes },
  },
  secret: { type: "string", minLength: 8, maxLength: 255, format: "webhook-secret" },
};

type CreateBody = { url: string; events: WebhookEventType[]; secret: string };

const createBody = checked<CreateBody>({
  type: "object",
  additionalProperties: false,
  required: ["url", "events", "secret"],
  properties: members,
});

const updateBody = checked<Partial<CreateBody> & { is_active?: boolean }>({
  type: "object",
  additionalProperties: false,
  properties: { ...members, is_active: { type: "boolean" } },
});

const listQuery = checked<PageQuery>(querySchema(pageParameters));

const replayed = { "Idempotent-Replayed": "true" };

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
          ...(created.replayed && replayed),
        },
      };
    },
  }),
  guarded({
    method: "GET",
    path: "/api/v1/webhooks",
    summary: "List webhooks, newest first",
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
    summary: "Read a webhook",
    access: "webhooks:write",
    async handle({ params, claims }, deps) {
      const webhook = await findWebhook(deps, { tenantId: claims.tenantId, webhookId: params.id ?? "" });
      return { status: 200, body: webhookResource(webhook) };
    },
  }),
  guarded({
    method: "PATCH",
    path: "/api/v1/webhooks/{id}",
    summary: "Change a webhook; an inactive one gets nothing, and an empty body changes nothing",
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
      return { status: 200, body: changed.body, headers: { ...(changed.replayed && replayed) } };
    },
  }),
  guarded({
    method: "DELETE",
    path: "/api/v1/webhooks/{id}",
    summary: "Delete a webhook with its delivery history; what waits is not sent any more",
    access: "webhooks:write",
    idempotent: true,
    async handle({ params, claims, idempotency }, deps) {
      const removed = await removeWebhook(deps, {
        tenantId: claims.tenantId,
        webhookId: params.id ?? "",
        idempotency,
      });
      return { status: 204, headers: { ...(removed.replayed && replayed) } };
    },
  }),
  guarded({
    method: "GET",
    path: "/api/v1/webhooks/{id}/deliveries",
    summary: "List a webhook's deliveries of the last 30 days, newest first",
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
