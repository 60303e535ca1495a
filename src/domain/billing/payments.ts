import type { Package, Plan } from "./catalog.ts";

/** A purchase to be paid at the payment provider's own page. */
export type CheckoutOrder = {
  tenantId: string;
  item: { kind: "package"; package: Package } | { kind: "plan"; plan: Plan };
  /** Where the buyer goes afterwards; `{CHECKOUT_SESSION_ID}` in it is filled in by the provider. */
  successUrl: string;
  /** Where the way back leads; null: there is none. */
  cancelUrl: string | null;
  /** Orders with the same key are one order. 1 to 255 characters; null: every call is an order of its own. */
  idempotencyKey: string | null;
};

/** The page that was opened for an order, until `expiresAtMs`. */
export type Checkout = { sessionId: string; url: string; expiresAtMs: number };

/**
 * Where money is taken. An order changes nothing here: what was bought is granted when the provider says, signed, that it
 * was paid. Rejects with invalid_request where an address of the order is not to its taste, `unavailable` where the
 * provider is out of reach or busy, and internal_error where it refuses what an operator configured.
 */
export type PaymentProvider = { createCheckout(order: CheckoutOrder): Promise<Checkout> };
