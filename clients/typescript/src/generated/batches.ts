// Made by scripts/generate-client.mjs from the OpenAPI document. Do not edit: run it again.

import type { CallOptions, MutationOptions, Send } from "../call.ts";
import { type List, listOf, type PageQuery } from "../paging.ts";
import type { Batch, BatchCreateRequest } from "./schemas.ts";

export type ListBatchesQuery = PageQuery & {
  /** Only batches in this status. */
  status?: "queued" | "processing" | "completed" | "cancelled" | undefined;
};

/** Up to 10,000 operations on passes in one request. */
export function createBatches(send: Send) {
  return {
    /**
     * Accept up to 10,000 operations on passes.
     *
     * Takes up to 10,000 operations, 8 MiB in all. A body that breaks a rule is refused whole, each fault with
     * its index; an operation that fails later does not stop the others. Those on one pass are carried out in
     * order. Credits for the creations are reserved now, and what was not used comes back. At most 10 batches
     * of a tenant are queued or processing.
     *
     * Scope: `passes:write`. Refusals: `insufficient_credits`, `contract_cap_reached`, `too_many_batches`.
     */
    create(body: BatchCreateRequest, options: MutationOptions = {}): Promise<Batch> {
      return send({ method: "POST", path: "/api/v1/batches", body, idempotent: true }, options);
    },

    /**
     * List batches, newest first.
     *
     * Lists the tenant's batches.
     *
     * Scope: `passes:write`.
     */
    list(query: ListBatchesQuery = {}, options: CallOptions = {}): List<Batch> {
      return listOf(send, { method: "GET", path: "/api/v1/batches", query }, options);
    },

    /**
     * Read a batch and how far it is.
     *
     * Reads a batch with its counts, and the first errors.
     *
     * Scope: `passes:write`.
     */
    get(id: string, options: CallOptions = {}): Promise<Batch> {
      return send({ method: "GET", path: "/api/v1/batches/{id}", params: { id } }, options);
    },

    /**
     * Cancel a batch that is still queued.
     *
     * Cancels a batch of which nothing has been carried out. Its reserved credits come back.
     *
     * Scope: `passes:write`. Refusals: `invalid_state`.
     */
    cancel(id: string, options: MutationOptions = {}): Promise<Batch> {
      return send(
        { method: "DELETE", path: "/api/v1/batches/{id}", params: { id }, idempotent: true },
        options,
      );
    },
  };
}
