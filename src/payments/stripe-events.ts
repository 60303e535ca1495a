import Stripe from "stripe";
import type { PaymentEvent } from "../domain/billing/payments.ts";
import { invalidRequest, PasswrightError } from "../domain/errors.ts";
import { isUuid } from "../domain/ids.ts";

/** How old a signature may be, so that one that was overheard is of no use for long. */
const toleranceSeconds = 300;

/** A session that is paid at once, and one whose bank took days (https://docs.stripe.com/checkout/fulfillment). */
const fulfilling = ["checkout.session.completed", "checkout.session.async_payment_succeeded"];

type Sent = { body: Uint8Array; signature: string | undefined; secrets: readonly string[]; nowMs: number };

/** What a call-back says, once its signature is checked (https://docs.stripe.com/webhooks/signature). Throws invalid_request. */
export function readStripeEvent(webhooks: Stripe.Webhooks, sent: Sent): PaymentEvent {
  const event = verified(webhooks, sent);
  const { id, type } = event;
  const ignored = (reason: (PaymentEvent & { kind: "ignored" })["reason"]): PaymentEvent => {
    return { id, type, kind: "ignored", reason };
  };
  if (!fulfilling.includes(type)) return ignored("other_type");
  const session = event.data.object as Stripe.Checkout.Session;
  if (session.mode === "subscription") return ignored("subscription");
  if (session.payment_status !== "paid") return ignored("unpaid");
  // The account may sell other things as well.
  const { tenant_id: tenantId = "", package_id: packageId = "", credits = "" } = session.metadata ?? {};
  const isOurs = session.mode === "payment" && isUuid(tenantId) && packageId !== "";
  if (!isOurs || !/^[1-9]\d{0,9}$/.test(credits)) return ignored("not_ours");
  const payment = { sessionId: session.id, tenantId, packageId, credits: Number(credits) };
  return { id, type, kind: "paid", payment };
}

function verified(webhooks: Stripe.Webhooks, { body, signature, secrets, nowMs }: Sent): Stripe.Event {
  if (signature === undefined) throw badSignature("is missing: only the payment provider calls here");
  for (const secret of secrets) {
    try {
      const event = webhooks.constructEvent(body, signature, secret, toleranceSeconds, undefined, nowMs);
      return wellFormed(event);
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw unreadable(error);
    }
  }
  throw badSignature(
    "must be of the last 5 minutes, over these very bytes, with a secret of PASSWRIGHT_STRIPE_WEBHOOK_SECRET",
  );
}

function wellFormed(event: Stripe.Event): Stripe.Event {
  if (typeof event?.id === "string" && typeof event.type === "string" && event.data?.object) return event;
  throw new TypeError("no event of the form that is expected");
}

function badSignature(message: string) {
  return invalidRequest([{ path: "Stripe-Signature", message }]);
}

/** Signed as it should be, and yet nothing that Stripe sends here: an endpoint with «thin» payloads, for one. */
function unreadable(cause: unknown) {
  const message = "must be a snapshot event of Stripe; choose that style of payload for the endpoint";
  return new PasswrightError("invalid_request", `the body ${message}`, {
    details: [{ path: "", message }],
    cause,
  });
}
