import { randomInt } from "node:crypto";
import type { Journal } from "../journal.ts";
import { type CheckoutOrder, totalOf } from "./order-rules.ts";

/** What the sandbox keeps of a Checkout session. Instants are Unix seconds, as in the API. */
export type StoredSession = {
  id: string;
  /** The key whose session it is. */
  account: string;
  order: CheckoutOrder;
  created: number;
  /** What the payment brought about; null until somebody pays. */
  paid: { at: number; customer: string; paymentIntent: string | null; subscription: string | null } | null;
};

export type Sessions = {
  open(account: string, order: CheckoutOrder): StoredSession;
  find(id: string): StoredSession | undefined;
  /** In the order in which they were opened. */
  all(): StoredSession[];
  /** Of an open session only. */
  pay(session: StoredSession): StoredSession;
  statusOf(session: StoredSession): "open" | "complete" | "expired";
  /** As the API shows it. */
  show(session: StoredSession): Record<string, unknown>;
};

export function createSessions(
  journal: Journal<StoredSession>,
  { nowMs, pageUrl }: { nowMs: () => number; pageUrl: (id: string) => string },
): Sessions {
  const now = () => Math.floor(nowMs() / 1000);
  const put = (session: StoredSession) => {
    journal.set(session.id, session);
    return session;
  };
  const statusOf = (session: StoredSession) => {
    if (session.paid !== null) return "complete";
    return now() < session.order.expiresAt ? "open" : "expired";
  };
  return {
    open: (account, order) =>
      put({ id: `cs_test_${letters(58)}`, account, order, created: now(), paid: null }),
    find: (id) => journal.get(id),
    all: () => [...journal.values()],
    pay(session) {
      const isPayment = session.order.mode === "payment";
      const paid = {
        at: now(),
        customer: `cus_${letters(14)}`,
        paymentIntent: isPayment ? `pi_${letters(24)}` : null,
        subscription: isPayment ? null : `sub_${letters(24)}`,
      };
      return put({ ...session, paid });
    },
    statusOf,
    show(session) {
      const { order, paid } = session;
      const status = statusOf(session);
      const total = totalOf(order.items);
      return {
        id: session.id,
        object: "checkout.session",
        amount_subtotal: total,
        amount_total: total,
        automatic_tax: { enabled: false, liability: null, provider: null, status: null },
        cancel_url: order.cancelUrl,
        client_reference_id: order.clientReferenceId,
        client_secret: null,
        created: session.created,
        currency: order.items[0]?.currency ?? null,
        custom_fields: [],
        customer: order.mode === "subscription" ? (paid?.customer ?? null) : null,
        customer_email: order.customerEmail,
        expires_at: order.expiresAt,
        invoice: null,
        livemode: false,
        locale: order.locale,
        metadata: order.metadata,
        mode: order.mode,
        payment_intent: paid?.paymentIntent ?? null,
        payment_link: null,
        payment_method_types: ["card"],
        payment_status: paid === null ? "unpaid" : "paid",
        setup_intent: null,
        shipping_options: [],
        status,
        subscription: paid?.subscription ?? null,
        success_url: order.successUrl,
        total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
        ui_mode: "hosted_page",
        url: status === "open" ? pageUrl(session.id) : null,
      };
    },
  };
}

const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** So many characters of what Stripe's ids are made of. */
export function letters(count: number): string {
  return Array.from({ length: count }, () => alphabet.charAt(randomInt(alphabet.length))).join("");
}
