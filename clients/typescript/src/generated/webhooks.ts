// Made by scripts/generate-client.mjs from the OpenAPI document. Do not edit: run it again.

import type { CallOptions, MutationOptions, Send } from "../call.ts";
import { type List, listOf, type PageQuery } from "../paging.ts";
import type { Webhook, WebhookCreateRequest, WebhookDelivery, WebhookUpdateRequest } from "./schemas.ts";

export type ListWebhooksQuery = PageQuery;

export type ListWebhookDeliveriesQuery = PageQuery;

/** Where to be told of events; what is sent stands below the operations. */
export function createWebhooks(send: Send) {
  return {
    /**
     * Register a webhook.
     *
     * Registers an address for events. It must be https, and must not lead to a private network. `secret` is
     * yours to choose; every delivery is signed with it, and it is never shown again. One that begins with
     * `whsec_` must go on in base64.
     *
     * Scope: `webhooks:write`. Refusals: `too_many_webhooks`.
     */
    create(body: WebhookCreateRequest, options: MutationOptions = {}): Promise<Webhook> {
      return send({ method: "POST", path: "/api/v1/webhooks", body, idempotent: true }, options);
    },

    /**
     * List webhooks, newest first.
     *
     * Lists the tenant's webhooks.
     *
     * Scope: `webhooks:write`.
     */
    list(query: ListWebhooksQuery = {}, options: CallOptions = {}): List<Webhook> {
      return listOf(send, { method: "GET", path: "/api/v1/webhooks", query }, options);
    },

    /**
     * Read a webhook.
     *
     * Reads a webhook; of its secret only the beginning.
     *
     * Scope: `webhooks:write`.
     */
    get(id: string, options: CallOptions = {}): Promise<Webhook> {
      return send({ method: "GET", path: "/api/v1/webhooks/{id}", params: { id } }, options);
    },

    /**
     * Change a webhook; an inactive one gets nothing, and an empty body changes nothing.
     *
     * Takes any of the members. What waits to be delivered goes to the new address, signed with the new secret.
     *
     * Scope: `webhooks:write`.
     */
    update(id: string, body: WebhookUpdateRequest, options: MutationOptions = {}): Promise<Webhook> {
      return send(
        { method: "PATCH", path: "/api/v1/webhooks/{id}", params: { id }, body, idempotent: true },
        options,
      );
    },

    /**
     * Delete a webhook with its delivery history; what waits is not sent any more.
     *
     * Deletes the webhook at once.
     *
     * Scope: `webhooks:write`.
     */
    delete(id: string, options: MutationOptions = {}): Promise<void> {
      return send(
        { method: "DELETE", path: "/api/v1/webhooks/{id}", params: { id }, idempotent: true },
        options,
      );
    },

    /**
     * List a webhook's deliveries of the last 30 days, newest first.
     *
     * Every delivery with all of its attempts. A webhook's answer must be 2xx within 30 seconds; after the
     * fifth attempt a delivery is dead-lettered.
     *
     * Scope: `webhooks:write`.
     */
    listDeliveries(
      id: string,
      query: ListWebhookDeliveriesQuery = {},
      options: CallOptions = {},
    ): List<WebhookDelivery> {
      return listOf(
        send,
        { method: "GET", path: "/api/v1/webhooks/{id}/deliveries", params: { id }, query },
        options,
      );
    },
  };
}
