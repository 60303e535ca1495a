// Made by scripts/generate-client.mjs from the OpenAPI document. Do not edit: run it again.

import type { CallOptions, MutationOptions, Send } from "../call.ts";
import { type List, listOf, type PageQuery } from "../paging.ts";
import type { Message, MessageSendRequest } from "./schemas.ts";

export type ListMessagesQuery = PageQuery & {
  /** Only messages to this one pass. */
  pass_id?: string | undefined;
  /** Only broadcasts to this template. */
  template_id?: string | undefined;
  /** Only messages in this status. */
  status?: "pending" | "sent" | "partial" | "failed" | undefined;
};

/** Notifications on passes. */
export function createMessages(send: Send) {
  return {
    /**
     * Send a message to one pass, or to every active pass of a template.
     *
     * Exactly one of `pass_id` and `template_id` must be given. Google Wallet shows the message as a banner on
     * the pass; Apple Wallet notifies the devices that hold it, and shows it on the back. A broadcast reaches
     * the passes that are active when it runs. Where a wallet delivers a message without notifying, the job
     * says so.
     *
     * Scope: `messages:write`. Refusals: `no_providers`, `invalid_state`.
     */
    send(body: MessageSendRequest, options: MutationOptions = {}): Promise<Message> {
      return send({ method: "POST", path: "/api/v1/messages", body, idempotent: true }, options);
    },

    /**
     * List messages, newest first.
     *
     * Lists the tenant's messages.
     *
     * Scope: `messages:read`.
     */
    list(query: ListMessagesQuery = {}, options: CallOptions = {}): List<Message> {
      return listOf(send, { method: "GET", path: "/api/v1/messages", query }, options);
    },

    /**
     * Read a message.
     *
     * Reads a message and how far it is.
     *
     * Scope: `messages:read`.
     */
    get(id: string, options: CallOptions = {}): Promise<Message> {
      return send({ method: "GET", path: "/api/v1/messages/{id}", params: { id } }, options);
    },
  };
}
