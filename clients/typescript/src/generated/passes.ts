// Made by scripts/generate-client.mjs from the OpenAPI document. Do not edit: run it again.

import type { CallOptions, MutationOptions, Send } from "../call.ts";
import { type List, listOf, type PageQuery } from "../paging.ts";
import type { Message, Pass, PassCreateRequest, PassUpdateRequest, PassVersion } from "./schemas.ts";

export type ListPassesQuery = PageQuery & {
  /** Only passes in this status. */
  status?: "pending" | "partial" | "active" | "updating" | "revoking" | "revoked" | "failed" | undefined;
  /** Only the pass of this reference. */
  external_ref?: string | undefined;
};

export type ListPassVersionsQuery = PageQuery;

export type ListPassMessagesQuery = PageQuery;

/** One pass is one card of one person, in one wallet or both. */
export function createPasses(send: Send) {
  return {
    /**
     * Create a pass.
     *
     * Creates a pass in every wallet that the template supports and the tenant has. Takes one credit, or one of
     * the contract's month; a pass that no wallet takes gives it back. The pair of tenant and `external_ref` is
     * a key of its own: the same template, intent and data again get the first answer again, other ones 409.
     *
     * Scope: `passes:write`. Refusals: `invalid_template`, `intent_mismatch`, `no_providers`,
     * `insufficient_credits`, `contract_cap_reached`, `duplicate_external_ref`.
     */
    create(body: PassCreateRequest, options: MutationOptions = {}): Promise<Pass> {
      return send({ method: "POST", path: "/api/v1/passes", body, idempotent: true }, options);
    },

    /**
     * List passes, newest first.
     *
     * Lists the tenant's passes, revoked ones included.
     *
     * Scope: `passes:read`.
     */
    list(query: ListPassesQuery = {}, options: CallOptions = {}): List<Pass> {
      return listOf(send, { method: "GET", path: "/api/v1/passes", query }, options);
    },

    /**
     * Read a pass.
     *
     * Reads a pass as it stands now, with its links for the wallets as soon as they are there.
     *
     * Scope: `passes:read`.
     */
    get(id: string, options: CallOptions = {}): Promise<Pass> {
      return send({ method: "GET", path: "/api/v1/passes/{id}", params: { id } }, options);
    },

    /**
     * Update a pass's data, key by key.
     *
     * Merges values into the pass's data: a null removes a key, what is not named stays. Makes a new version in
     * any case, and takes the template's latest version along. Wallets always get the newest data, also where
     * updates overtake each other. Takes no credit, unless the pass failed in every wallet and so gave its own
     * back.
     *
     * Scope: `passes:write`. Refusals: `invalid_template`, `no_providers`, `insufficient_credits`,
     * `contract_cap_reached`, `invalid_state`.
     */
    update(id: string, body: PassUpdateRequest, options: MutationOptions = {}): Promise<Pass> {
      return send(
        { method: "PATCH", path: "/api/v1/passes/{id}", params: { id }, body, idempotent: true },
        options,
      );
    },

    /**
     * Revoke a pass.
     *
     * Voids the pass in every wallet. From this moment nothing about it can be changed, and its page answers
     * 410.
     *
     * Scope: `passes:write`. Refusals: `invalid_state`.
     */
    revoke(id: string, options: MutationOptions = {}): Promise<Pass> {
      return send(
        { method: "DELETE", path: "/api/v1/passes/{id}", params: { id }, idempotent: true },
        options,
      );
    },

    /**
     * Create the pass of an external reference, or replace its data.
     *
     * Creates the pass, or, where the reference has one, replaces its data whole. `external_ref` in the body
     * must equal the reference in the path. A revoked pass stays revoked.
     *
     * Scope: `passes:write`. Refusals: `invalid_template`, `intent_mismatch`, `no_providers`,
     * `insufficient_credits`, `contract_cap_reached`, `invalid_state`.
     */
    upsertByExternalRef(
      externalRef: string,
      body: PassCreateRequest,
      options: MutationOptions = {},
    ): Promise<Pass> {
      return send(
        {
          method: "PUT",
          path: "/api/v1/passes/by-external-ref/{externalRef}",
          params: { externalRef },
          body,
          idempotent: true,
        },
        options,
      );
    },

    /**
     * Update the data of the pass of an external reference, key by key.
     *
     * The same as updating by id. Never creates a pass.
     *
     * Scope: `passes:write`. Refusals: `invalid_template`, `no_providers`, `insufficient_credits`,
     * `contract_cap_reached`, `invalid_state`.
     */
    updateByExternalRef(
      externalRef: string,
      body: PassUpdateRequest,
      options: MutationOptions = {},
    ): Promise<Pass> {
      return send(
        {
          method: "PATCH",
          path: "/api/v1/passes/by-external-ref/{externalRef}",
          params: { externalRef },
          body,
          idempotent: true,
        },
        options,
      );
    },

    /**
     * List the versions of a pass's data, newest first.
     *
     * Every accepted state of the pass's data. A revocation changes no data, and makes no version.
     *
     * Scope: `passes:read`.
     */
    listVersions(
      id: string,
      query: ListPassVersionsQuery = {},
      options: CallOptions = {},
    ): List<PassVersion> {
      return listOf(
        send,
        { method: "GET", path: "/api/v1/passes/{id}/versions", params: { id }, query },
        options,
      );
    },

    /**
     * List the messages to a pass, newest first.
     *
     * Lists what was sent to this one pass; broadcasts are not among it.
     *
     * Scope: `messages:read`.
     */
    listMessages(id: string, query: ListPassMessagesQuery = {}, options: CallOptions = {}): List<Message> {
      return listOf(
        send,
        { method: "GET", path: "/api/v1/passes/{id}/messages", params: { id }, query },
        options,
      );
    },
  };
}
