// Made by scripts/generate-client.mjs from the OpenAPI document. Do not edit: run it again.

import type { CallOptions, MutationOptions, Send } from "../call.ts";
import { type List, listOf, type PageQuery } from "../paging.ts";
import type { Checkout, Package, SubscribeRequest, TopupRequest } from "./schemas.ts";

export type ListPackagesQuery = PageQuery;

/** Credits for passes, bought at the payment provider's own page. */
export function createBilling(send: Send) {
  return {
    /**
     * List the packages of credits on sale, in the operator's order.
     *
     * Any token of the tenant will do.
     */
    listPackages(query: ListPackagesQuery = {}, options: CallOptions = {}): List<Package> {
      return listOf(send, { method: "GET", path: "/api/v1/billing/packages", query }, options);
    },

    /**
     * Buy a package of credits: answers the address of the page on which it is paid.
     *
     * Opens a checkout at the payment provider. The credits are granted when the provider says that they were
     * paid, exactly once. `success_url` may hold `{CHECKOUT_SESSION_ID}`.
     *
     * Scope: `passes:write`. Refusals: `payments_not_configured`, `invalid_state`.
     */
    topup(body: TopupRequest, options: MutationOptions = {}): Promise<Checkout> {
      return send({ method: "POST", path: "/api/v1/billing/topup", body, idempotent: true }, options);
    },

    /**
     * Subscribe to a plan: answers the address of the page on which it is paid.
     *
     * Opens a checkout at the payment provider for a plan that is paid again and again, by month or year.
     *
     * Scope: `passes:write`. Refusals: `payments_not_configured`, `invalid_state`.
     */
    subscribe(body: SubscribeRequest, options: MutationOptions = {}): Promise<Checkout> {
      return send({ method: "POST", path: "/api/v1/billing/subscribe", body, idempotent: true }, options);
    },
  };
}
