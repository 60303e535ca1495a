import { randomBytes } from "node:crypto";
import Stripe from "stripe";

export const signingSecret = "whsec_dGhlIHNlY3JldCBvZiB0aGUgdGVzdHM";

/** Stripe's own library, which signs as Stripe does. */
const { webhooks } = new Stripe("sk_test_signs");

export function signatureOf(payload: string, options: { secret?: string; atMs?: number } = {}): string {
  const { secret = signingSecret, atMs = Date.now() } = options;
  return webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(atMs / 1000) });
}

export type Session = Record<string, unknown> & { id: string };

/** A session of a package that was paid, as it stands in an event; a new one unless it is given an id. */
export function paidSession(tenantId: string, change: Record<string, unknown> = {}): Session {
  return {
    id: `cs_test_${randomBytes(20).toString("hex")}`,
    object: "checkout.session",
    mode: "payment",
    payment_status: "paid",
    metadata: { tenant_id: tenantId, package_id: "starter", credits: "1000" },
    ...change,
  };
}

/** The text of an event; each has an id of its own. */
export function eventText(object: object, type = "checkout.session.completed"): string {
  const id = `evt_${randomBytes(12).toString("hex")}`;
  return JSON.stringify({ id, object: "event", type, created: 1, livemode: false, data: { object } });
}

/** A call-back, ready to send. */
export function callBack(object: object, type?: string) {
  const body = eventText(object, type);
  return { body, headers: { "content-type": "application/json", "stripe-signature": signatureOf(body) } };
}
