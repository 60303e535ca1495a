import Stripe from "stripe";
import type { Price } from "../domain/billing/catalog.ts";
import {
  type CheckoutOrder,
  type PaymentProvider,
  paymentsNotConfigured,
} from "../domain/billing/payments.ts";
import type { Clock } from "../domain/clock.ts";
import { invalidRequest, PasswrightError } from "../domain/errors.ts";
import { readStripeEvent } from "./stripe-events.ts";

/** With the tries that follow the first, less than a request of ours may take. */
const timeoutMs = 8000;
const furtherTries = 2;

export type StripeOptions = {
  secretKey: string;
  /** An origin, `https://api.stripe.com` or a stand-in's. */
  apiUrl: string;
  /** What call-backs are signed with: any of them will do. Without one they are refused. */
  webhookSecrets: readonly string[];
  clock: Clock;
  /** What we call ourselves in the User-Agent. */
  product: { name: string; version: string };
};

/** Stripe Checkout (https://docs.stripe.com/api/checkout/sessions): payments for packages, subscriptions for plans. */
export function createStripePayments(options: StripeOptions): PaymentProvider {
  const { secretKey, apiUrl, product, webhookSecrets, clock } = options;
  const { protocol, hostname, port } = new URL(apiUrl);
  const stripe = new Stripe(secretKey, {
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (protocol === "http:" ? 80 : 443) : Number(port),
    timeout: timeoutMs,
    maxNetworkRetries: furtherTries,
    telemetry: false,
    appInfo: product,
  });
  return {
    async createCheckout(order) {
      let session: Stripe.Checkout.Session;
      try {
        const { idempotencyKey } = order;
        session = await stripe.checkout.sessions.create(
          sessionFor(order),
          idempotencyKey === null ? {} : { idempotencyKey },
        );
      } catch (error) {
        throw translated(error);
      }
      const { id, url, expires_at: expiresAt } = session;
      if (typeof url !== "string") {
        throw new PasswrightError("internal_error", `Stripe opened the session ${id} without an address.`);
      }
      return { sessionId: id, url, expiresAtMs: expiresAt * 1000 };
    },
    async readEvent(body, signature) {
      if (webhookSecrets.length === 0) throw paymentsNotConfigured("PASSWRIGHT_STRIPE_WEBHOOK_SECRET");
      const sent = { body, signature, secrets: webhookSecrets, nowMs: clock.nowMs() };
      return readStripeEvent(stripe.webhooks, sent);
    },
  };
}

/**
 * The parameters depend on nothing but the order, so that a repeat under its key is the same request. What was bought is written
 * on the session and on what comes of it, in full: the operator's list may be another one when it is paid.
 */
function sessionFor(order: CheckoutOrder): Stripe.Checkout.SessionCreateParams {
  const { tenantId, item } = order;
  const common = {
    client_reference_id: tenantId,
    success_url: order.successUrl,
    ...(order.cancelUrl !== null && { cancel_url: order.cancelUrl }),
  };
  if (item.kind === "package") {
    const { id, name, credits, price } = item.package;
    const metadata = { tenant_id: tenantId, package_id: id, credits: String(credits) };
    return {
      ...common,
      mode: "payment",
      metadata,
      payment_intent_data: { metadata },
      line_items: [{ quantity: 1, price_data: { ...charge(price), product_data: { name } } }],
    };
  }
  const { id, name, monthlyPasses, interval, price } = item.plan;
  const metadata = { tenant_id: tenantId, plan_id: id, monthly_passes: String(monthlyPasses) };
  return {
    ...common,
    mode: "subscription",
    metadata,
    subscription_data: { metadata },
    line_items: [
      { quantity: 1, price_data: { ...charge(price), product_data: { name }, recurring: { interval } } },
    ],
  };
}

/** Without minor units today, but counted in hundredths by Stripe (https://docs.stripe.com/currencies#special-cases). */
const countedInHundredths = ["isk", "ugx"];

function charge(price: Price): { currency: string; unit_amount: number } {
  const currency = price.currency.toLowerCase();
  return {
    currency,
    unit_amount: countedInHundredths.includes(currency) ? price.amount * 100 : price.amount,
  };
}

/** The border for Stripe's errors (https://docs.stripe.com/error-handling). Its words may tell of the account: only the log gets them. */
function translated(error: unknown): PasswrightError {
  const { StripeAPIError, StripeConnectionError, StripeInvalidRequestError, StripeRateLimitError } =
    Stripe.errors;
  if (error instanceof StripeInvalidRequestError) {
    const { param = "", message } = error;
    if (param === "success_url" || param === "cancel_url") {
      return invalidRequest([
        { path: `/${param}`, message: `is refused by the payment provider: ${message}` },
      ]);
    }
  }
  const isPassing =
    error instanceof StripeConnectionError ||
    error instanceof StripeRateLimitError ||
    // Faults of its own, a request under the same key that is still going on (409), and what is no JSON at all.
    (error instanceof StripeAPIError && !isRefusal(error.statusCode));
  return isPassing
    ? new PasswrightError("unavailable", "The payment provider cannot be reached. Try again later.", {
        retryAfterSeconds: 5,
        cause: error,
      })
    : new PasswrightError("internal_error", "The payment provider refused the order.", { cause: error });
}

function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status < 500 && status !== 409;
}
