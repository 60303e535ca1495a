import { eventOutcomes } from "../../../domain/billing/receive-event.ts";
import { choice, described, instant, integer, listOf, record, text, uri } from "./scalars.ts";

const priceSchema = record("Price", {
  amount: described("In the currency's minor units, such as cents.", integer(1, 99_999_999)),
  currency: {
    type: "string",
    pattern: "^([A-Z]{3}|[a-z]{3})$",
    maxLength: 3,
    description: "ISO 4217.",
  },
});

/** An operator's own identifier of something on sale. */
export const itemIdSchema = { type: "string", pattern: "^[a-z0-9-]{1,64}$", maxLength: 64 } as const;

export const packageListSchema = listOf(
  "PackageListResponse",
  record("Package", {
    id: itemIdSchema,
    name: text(100),
    credits: described("How many passes can be created with it.", integer(1, 1_000_000_000)),
    price: priceSchema,
  }),
);

export const checkoutSchema = record("CheckoutResponse", {
  checkout_url: described("Send the buyer there.", { ...uri, maxLength: 5000 }),
  session_id: text(255),
  expires_at: instant,
});

/** What is looked at of an event; Stripe says more. */
export const paymentEventSchema = {
  ...record("PaymentEvent", {
    id: text(255),
    type: described("Such as `checkout.session.completed`.", text(255)),
    data: record("PaymentEventData", {
      object: { type: "object", description: "A Checkout session, or another thing." },
    }),
  }),
  additionalProperties: true,
};

export const paymentOutcomeSchema = record("PaymentEventResponse", {
  outcome: described(
    "`granted_before`: this session was granted already. `no_tenant` and `contract`: it was paid, and cannot be granted; the operator finds it in the log.",
    choice(eventOutcomes),
  ),
});
