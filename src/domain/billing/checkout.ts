import { createHash } from "node:crypto";
import { isoInstant } from "../clock.ts";
import { invalidRequest, PasswrightError, type Violation } from "../errors.ts";
import { type IdempotencyClaim, type IdempotencyStore, keyReused, recallAnswer } from "../idempotency.ts";
import { findTenant } from "../tenants/find.ts";
import type { TenantStore } from "../tenants/tenant.ts";
import type { CatalogStore } from "./catalog.ts";
import { type CheckoutOrder, type PaymentProvider, paymentsNotConfigured } from "./payments.ts";

export type CheckoutDeps = {
  catalog: CatalogStore;
  /** null: this installation takes no payments. */
  payments: Pick<PaymentProvider, "createCheckout"> | null;
  tenants: TenantStore;
  idempotency: IdempotencyStore;
  /** The public one, without a trailing slash. */
  baseUrl: string;
};

export type CheckoutInput = {
  tenantId: string;
  itemId: string;
  successUrl: string | undefined;
  cancelUrl: string | undefined;
  idempotency: IdempotencyClaim | null;
};

/** `body` is the JSON of the 200. */
export type StartedCheckout = { body: string; replayed: boolean };

/** Where buyers come back to whose application names no address of its own. */
export const paidPath = "/billing/paid";

/**
 * Opens a checkout for a package of credits. Rejects with invalid_request, payments_not_configured, invalid_state for a
 * tenant under contract, idempotency_key_reused, and as the payment provider does.
 */
export function startTopup(deps: CheckoutDeps, input: CheckoutInput): Promise<StartedCheckout> {
  return startCheckout(deps, input, async () => {
    const found = (await deps.catalog.packages()).find(({ id }) => id === input.itemId);
    if (found === undefined) {
      const message = "names no package; GET /api/v1/billing/packages lists them";
      return { violation: { path: "/package_id", message } };
    }
    return { item: { kind: "package", package: found } };
  });
}

/** The same for a plan, paid again and again. */
export function startSubscription(deps: CheckoutDeps, input: CheckoutInput): Promise<StartedCheckout> {
  return startCheckout(deps, input, async () => {
    const plan = (await deps.catalog.plans()).find(({ id }) => id === input.itemId);
    if (plan === undefined) return { violation: { path: "/plan_id", message: "names no plan" } };
    return { item: { kind: "plan", plan } };
  });
}

async function startCheckout(
  deps: CheckoutDeps,
  input: CheckoutInput,
  findItem: () => Promise<{ item: CheckoutOrder["item"] } | { violation: Violation }>,
): Promise<StartedCheckout> {
  const earlier = await recallAnswer(deps, input.tenantId, input.idempotency);
  if (earlier !== null) return { body: earlier, replayed: true };

  const found = await findItem();
  const violations = [
    ...("violation" in found ? [found.violation] : []),
    ...urlViolations("/success_url", input.successUrl),
    ...urlViolations("/cancel_url", input.cancelUrl),
  ];
  if ("violation" in found || violations.length > 0) throw invalidRequest(violations);
  if (deps.payments === null) throw paymentsNotConfigured("PASSWRIGHT_STRIPE_SECRET_KEY");
  const { billingMode } = await findTenant(deps, input.tenantId);
  if (billingMode === "contract") {
    throw new PasswrightError(
      "invalid_state",
      "This tenant creates passes under a contract; there is nothing for it to buy.",
    );
  }

  const order = {
    tenantId: input.tenantId,
    item: found.item,
    successUrl: input.successUrl ?? `${deps.baseUrl}${paidPath}`,
    cancelUrl: input.cancelUrl ?? null,
  };
  const idempotencyKey = input.idempotency && orderKey(input.idempotency, order);
  const checkout = await deps.payments.createCheckout({ ...order, idempotencyKey });
  const body = JSON.stringify({
    checkout_url: checkout.url,
    session_id: checkout.sessionId,
    expires_at: isoInstant(checkout.expiresAtMs),
  });
  if (input.idempotency === null) return { body, replayed: false };
  const kept = await deps.idempotency.keep(input.tenantId, input.idempotency, body);
  if (kept === "reused") throw keyReused();
  return { body: kept.response, replayed: kept.replayed };
}

/**
 * The key under which the payment provider knows an order. A repeat after a crash between provider and store has the same,
 * and so finds the same session. What is ordered is part of it, since a key must not come with other contents: an operator may
 * have changed the price in between.
 */
function orderKey(claim: IdempotencyClaim, order: Omit<CheckoutOrder, "idempotencyKey">): string {
  return createHash("sha256")
    .update(JSON.stringify([claim.scope, order]))
    .digest("base64url");
}

function urlViolations(path: string, text: string | undefined): Violation[] {
  const message = text === undefined ? null : webUrlFault(text);
  return message === null ? [] : [{ path, message }];
}

/** What is wrong with an address that buyers come back to, or null. It may hold names in braces, as Stripe fills in. */
export function webUrlFault(text: string): string | null {
  const isWeb = URL.canParse(text) && /^https?:\/\//i.test(text) && !/[\s\p{Cc}]/u.test(text);
  return isWeb ? null : "must be an absolute http or https URL";
}
