import { PasswrightError } from "../errors.ts";
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

/** What the buyer of a package paid, and for whom. The credits are those of the package when the checkout was opened. */
export type Payment = { sessionId: string; tenantId: string; packageId: string; credits: number };

/** What the provider says of itself: that something was paid, or what is of no concern here, and why. */
export type PaymentEvent = { id: string; type: string } & (
  | { kind: "paid"; payment: Payment }
  | { kind: "ignored"; reason: "other_type" | "subscription" | "unpaid" | "not_ours" }
);

/**
 * Where money is taken. An order changes nothing here: what was bought is granted when the provider says, signed, that it
 * was paid. Rejects with invalid_request where an address of the order is not to its taste, `unavailable` where the
 * provider is out of reach or busy, and internal_error where it refuses what an operator configured.
 */
export type PaymentProvider = {
  createCheckout(order: CheckoutOrder): Promise<Checkout>;
  /**
   * What a call-back says; `body` is every byte as it came. Rejects with invalid_request where the signature is not the
   * provider's or not of these minutes, and with payments_not_configured where there is no secret to check it with.
   */
  readEvent(body: Uint8Array, signature: string | undefined): Promise<PaymentEvent>;
};

/** Remembers for ever what was granted. */
export type PaidSessionStore = {
  /**
   * Records the session and adds its credits in one step, the first time only, over all processes. `no_tenant`: there is
   * none, or it is being deleted; `contract`: it has a cap and no balance. Neither of the two records anything.
   */
  grant(payment: Payment, atMs: number): Promise<"granted" | "granted_before" | "no_tenant" | "contract">;
};

/** What cannot be done before an operator sets something. */
export function paymentsNotConfigured(setting: string): PasswrightError {
  return new PasswrightError(
    "payments_not_configured",
    `Payments are not configured at this installation. Its operator can set ${setting}.`,
  );
}
