import { ids, pageOf } from "./ids.ts";

export const packageList = pageOf({
  id: "starter",
  name: "1,000 passes",
  credits: 1000,
  price: { amount: 4900, currency: "EUR" },
});

export const topup = { package_id: "starter", success_url: "https://shop.example.com/thanks" };

export const subscription = { plan_id: "growth", cancel_url: "https://shop.example.com/plans" };

export const checkout = {
  checkout_url: "https://checkout.stripe.com/c/pay/cs_test_a1b2c3d4",
  session_id: "cs_test_a1b2c3d4",
  expires_at: "2026-11-22T06:43:46.000Z",
};

/** As Stripe sends it, as far as it is looked at. */
export const paidEvent = {
  id: "evt_1SVxa2LkdIwHu7ixZQ0oT3bC",
  object: "event",
  type: "checkout.session.completed",
  data: {
    object: {
      id: "cs_test_a1b2c3d4",
      object: "checkout.session",
      mode: "payment",
      payment_status: "paid",
      metadata: { tenant_id: ids.tenant, package_id: "starter", credits: "1000" },
    },
  },
};
