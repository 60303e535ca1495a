/**
 * What Checkout demands of a new session (https://docs.stripe.com/api/checkout/sessions/create), as far as it is stood in
 * for: one-time and recurring prices made on the spot, paid on Stripe's own page. Everything else is refused, never ignored.
 */
import { badParam, stripeError } from "./api-error.ts";
import type { Form } from "./form.ts";
import {
  currency,
  list,
  members,
  metadata,
  object,
  oneOf,
  present,
  required,
  text,
  webAddress,
  whole,
} from "./rules.ts";

const priceRules = object({
  currency: required(currency),
  product: text(255),
  product_data: object({ name: required(text(250)), description: text(1000), metadata }),
  recurring: object({
    interval: required(oneOf("day", "week", "month", "year")),
    interval_count: whole(1, 156),
  }),
  unit_amount: whole(0, 99_999_999),
});

const parameters = {
  mode: required(oneOf("payment", "setup", "subscription")),
  ui_mode: oneOf("elements", "embedded_page", "form", "hosted_page"),
  success_url: webAddress,
  cancel_url: webAddress,
  client_reference_id: text(200),
  customer_email: text(512),
  locale: text(10),
  metadata,
  payment_intent_data: object({ metadata, description: text(1000) }),
  subscription_data: object({ metadata, description: text(500) }),
  expires_at: whole(0, 9_999_999_999),
  line_items: list(object({ price: text(255), price_data: priceRules, quantity: whole(1, 999_999) })),
};

export type LineItem = {
  name: string;
  currency: string;
  unitAmount: number;
  quantity: number;
  interval: string | null;
};

export type CheckoutOrder = {
  mode: "payment" | "subscription";
  successUrl: string;
  cancelUrl: string | null;
  clientReferenceId: string | null;
  customerEmail: string | null;
  locale: string | null;
  metadata: Record<string, string>;
  /** Of the payment, or of the subscription. */
  innerMetadata: Record<string, string>;
  expiresAt: number;
  items: LineItem[];
};

const halfAnHour = 30 * 60;
const day = 24 * 60 * 60;

/** `nowSeconds` is the moment of creation. */
export function readOrder(form: Form, nowSeconds: number): CheckoutOrder {
  const given = members(form, parameters);
  const { mode } = given;
  if (mode === "setup")
    throw badParam("mode", "The sandbox stands in for the modes payment and subscription.");
  if (given.ui_mode !== undefined && given.ui_mode !== "hosted_page") {
    throw badParam("ui_mode", "The sandbox stands in for the ui_mode hosted_page.");
  }
  const successUrl = present(given.success_url, "success_url");
  const foreign = mode === "payment" ? "subscription_data" : "payment_intent_data";
  if (form.has(foreign)) throw badParam(foreign, `You can not pass \`${foreign}\` in \`${mode}\` mode.`);
  const items = present(given.line_items, "line_items").map(readItem);
  checkItems(mode, items);
  const inner = mode === "payment" ? given.payment_intent_data : given.subscription_data;
  return {
    mode,
    successUrl,
    cancelUrl: given.cancel_url ?? null,
    clientReferenceId: given.client_reference_id ?? null,
    customerEmail: given.customer_email ?? null,
    locale: given.locale ?? null,
    metadata: given.metadata,
    innerMetadata: inner?.metadata ?? {},
    expiresAt: readExpiry(given.expires_at, nowSeconds),
    items,
  };
}

type GivenItem = NonNullable<ReturnType<typeof parameters.line_items>>[number];

function readItem({ price, price_data: priceData, quantity }: GivenItem, index: number): LineItem {
  const at = (name: string) => `line_items[${index}][${name}]`;
  if (price !== undefined) throw badParam(at("price"), `No such price: '${price}'`, "resource_missing");
  const data = present(priceData, at("price"));
  const product = `${at("price_data")}[product]`;
  if (data.product !== undefined) {
    throw badParam(product, `No such product: '${data.product}'`, "resource_missing");
  }
  if (data.product_data === undefined) {
    throw badParam(product, "You must specify either `product` or `product_data` when creating a price.");
  }
  return {
    name: data.product_data.name,
    currency: data.currency,
    unitAmount: present(data.unit_amount, `${at("price_data")}[unit_amount]`),
    quantity: present(quantity, at("quantity")),
    interval: data.recurring?.interval ?? null,
  };
}

/** https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const leastAmounts: Record<string, number> = {
  ...{
    aed: 200,
    aud: 50,
    brl: 50,
    cad: 50,
    chf: 50,
    czk: 1500,
    dkk: 250,
    eur: 50,
    gbp: 30,
    hkd: 400,
    huf: 17500,
  },
  ...{ inr: 50, jpy: 50, mxn: 1000, myr: 200, nok: 300, nzd: 50, pln: 200, ron: 200, sek: 300, sgd: 50 },
  ...{ thb: 1000, usd: 50 },
};

function checkItems(mode: CheckoutOrder["mode"], items: readonly LineItem[]): void {
  const [first] = items;
  if (first === undefined)
    throw badParam("line_items", "Missing required param: line_items.", "parameter_missing");
  if (items.length > 100) throw badParam("line_items", "Checkout accepts at most 100 line items.");
  if (items.some((item) => item.currency !== first.currency)) {
    throw badParam("line_items", "All prices on a Checkout Session must have the same currency.");
  }
  const isRecurring = items.some(({ interval }) => interval !== null);
  if (mode === "payment" && isRecurring) {
    throw stripeError(400, {
      message:
        "You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.",
      param: "mode",
    });
  }
  if (mode === "subscription" && !isRecurring) {
    const message = "You must provide at least one recurring price in `subscription` mode when using prices.";
    throw stripeError(400, { message, param: "mode" });
  }
  const total = totalOf(items);
  const least = leastAmounts[first.currency] ?? 1;
  if (total > 0 && total < least) {
    const message = `The Checkout Session's total amount due must add up to at least ${least} in the smallest unit of ${first.currency}`;
    throw stripeError(400, { message, code: "amount_too_small" });
  }
  if (total > 99_999_999) {
    throw stripeError(400, {
      message: "The total amount must be at most 99999999.",
      code: "amount_too_large",
    });
  }
}

export function totalOf(items: readonly LineItem[]): number {
  return items.reduce((sum, { unitAmount, quantity }) => sum + unitAmount * quantity, 0);
}

function readExpiry(given: number | undefined, now: number): number {
  if (given === undefined) return now + day;
  if (given < now + halfAnHour) {
    const message = "The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.";
    throw badParam("expires_at", message);
  }
  if (given > now + day) {
    const message = "The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.";
    throw badParam("expires_at", message);
  }
  return given;
}
