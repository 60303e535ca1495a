import t, { type Test } from "tap";
import { type CheckoutInput, startSubscription, startTopup } from "../../../src/domain/billing/checkout.ts";
import type { CheckoutOrder } from "../../../src/domain/billing/payments.ts";
import { claimKey } from "../../../src/domain/idempotency.ts";
import { createTenant } from "../../../src/domain/tenants/create.ts";
import type { Billing } from "../../../src/domain/tenants/tenant.ts";
import { createCatalogStore } from "../../../src/redis/billing.ts";
import { createIdempotencyStore } from "../../../src/redis/idempotency.ts";
import { createTenantStore } from "../../../src/redis/tenants.ts";
import { openStore } from "../../support/store.ts";

const starter = {
  id: "starter",
  name: "1,000 passes",
  credits: 1000,
  price: { amount: 4900, currency: "EUR" },
};
const monthly = {
  id: "team",
  name: "Team",
  monthlyPasses: 5000,
  interval: "month" as const,
  price: { amount: 9900, currency: "EUR" },
};

/** A store with one package and one plan, and a payment provider that opens a new session for each new key. */
async function opened(t: Test, billing: Billing = { mode: "prepaid", credits: 0 }) {
  const store = await openStore(t);
  const tenants = createTenantStore(store);
  const catalog = createCatalogStore(store);
  await catalog.setPackages([starter]);
  await catalog.setPlans([monthly]);
  const { id: tenantId } = await createTenant({ ...store, tenants }, { name: "Example", billing });
  const orders: CheckoutOrder[] = [];
  const payments = {
    async createCheckout(order: CheckoutOrder) {
      orders.push(order);
      const known = orders.findIndex(({ idempotencyKey }) => idempotencyKey === order.idempotencyKey);
      const number = order.idempotencyKey === null ? orders.length - 1 : known;
      return { sessionId: `cs_${number}`, url: `https://pay.example/${number}`, expiresAtMs: 86_400_000 };
    },
  };
  const deps = {
    tenants,
    catalog,
    idempotency: createIdempotencyStore(store),
    payments,
    baseUrl: "https://passes.example.com",
  };
  const input = (change: Partial<CheckoutInput> = {}): CheckoutInput => ({
    tenantId,
    itemId: "starter",
    successUrl: undefined,
    cancelUrl: undefined,
    idempotency: null,
    ...change,
  });
  return { store, deps, orders, tenantId, input };
}

const keyed = (key: string, body: unknown = {}) =>
  claimKey("POST", "/api/v1/billing/topup", key, Buffer.from(JSON.stringify(body)));

t.test("a checkout is opened for what was chosen, and its address answered", async (t) => {
  const { deps, orders, tenantId, input } = await opened(t);
  const urls = {
    successUrl: "https://shop.example/ok?s={CHECKOUT_SESSION_ID}",
    cancelUrl: "http://shop.example/",
  };
  const started = await startTopup(deps, input(urls));
  t.strictSame(JSON.parse(started.body), {
    checkout_url: "https://pay.example/0",
    session_id: "cs_0",
    expires_at: "1970-01-02T00:00:00.000Z",
  });
  t.equal(started.replayed, false);
  await startSubscription(deps, input({ itemId: "team" }));
  t.strictSame(orders, [
    { tenantId, item: { kind: "package", package: starter }, ...urls, idempotencyKey: null },
    {
      tenantId,
      item: { kind: "plan", plan: monthly },
      successUrl: "https://passes.example.com/billing/paid",
      cancelUrl: null,
      idempotencyKey: null,
    },
  ]);
});

t.test("every mistake of an order is named, and nobody is asked to pay", async (t) => {
  const { deps, orders, input } = await opened(t);
  const bad = { itemId: "team", successUrl: "javascript:alert(1)", cancelUrl: "/back" };
  await t.rejects(startTopup(deps, input(bad)), {
    code: "invalid_request",
    details: [
      { path: "/package_id", message: /^names no package/ },
      { path: "/success_url", message: "must be an absolute http or https URL" },
      { path: "/cancel_url", message: "must be an absolute http or https URL" },
    ],
  });
  await t.rejects(startSubscription(deps, input()), {
    code: "invalid_request",
    details: [{ path: "/plan_id", message: "names no plan" }],
  });
  for (const successUrl of [
    "https://a b.example/",
    "https://",
    "ftp://a.example/",
    "//a.example/",
    "https:a",
  ]) {
    await t.rejects(startTopup(deps, input({ successUrl })), { code: "invalid_request" }, successUrl);
  }
  t.strictSame(orders, []);
});

t.test("without a payment provider an order says so, and only one that is right", async (t) => {
  const { deps, input } = await opened(t);
  const poor = { ...deps, payments: null };
  await t.rejects(startTopup(poor, input()), { code: "payments_not_configured", kind: "invalid" });
  await t.rejects(startTopup(poor, input({ itemId: "no" })), { code: "invalid_request" });
});

t.test("a tenant under contract has nothing to buy", async (t) => {
  const { deps, orders, input } = await opened(t, { mode: "contract", monthlyCap: 10 });
  await t.rejects(startTopup(deps, input()), { code: "invalid_state" });
  await t.rejects(startSubscription(deps, input({ itemId: "team" })), { code: "invalid_state" });
  t.strictSame(orders, []);
});

t.test("a repeat gets the first answer, whatever has been changed since", async (t) => {
  const { deps, orders, input } = await opened(t);
  const order = input({ idempotency: keyed("k") });
  const first = await startTopup(deps, order);
  await deps.catalog.setPackages([]);
  t.strictSame(await startTopup(deps, order), { body: first.body, replayed: true });
  t.equal(orders.length, 1);
  await t.rejects(startTopup(deps, input({ idempotency: keyed("k", { other: 1 }) })), {
    code: "idempotency_key_reused",
  });
});

t.test("equal orders at the same moment are one session with one answer", async (t) => {
  const { deps, input } = await opened(t);
  const order = input({ idempotency: keyed("k") });
  const both = await Promise.all([startTopup(deps, order), startTopup(deps, order)]);
  t.equal(both[0].body, both[1].body);
  t.strictSame(both.map(({ replayed }) => replayed).sort(), [false, true]);
});

t.test(
  "the provider's key is the request's and what it orders, and another tenant's is another",
  async (t) => {
    const { deps, orders, input, store } = await opened(t);
    const other = await createTenant(
      { ...store, tenants: deps.tenants },
      { name: "Other", billing: { mode: "prepaid", credits: 0 } },
    );
    const forgetful = {
      ...deps,
      idempotency: {
        ...deps.idempotency,
        keep: async (_tenantId: string, _claim: unknown, response: string) => ({ response, replayed: false }),
      },
    };
    const idempotency = keyed("k");
    await startTopup(forgetful, input({ idempotency }));
    await startTopup(forgetful, input({ idempotency }));
    await startTopup(forgetful, input({ idempotency, tenantId: other.id }));
    await deps.catalog.setPackages([{ ...starter, price: { amount: 5900, currency: "EUR" } }]);
    await startTopup(forgetful, input({ idempotency }));
    const [first, again, foreign, dearer] = orders.map(({ idempotencyKey }) => idempotencyKey);
    t.equal(first, again, "as after a crash between provider and store");
    t.equal(new Set([first, foreign, dearer]).size, 3);
    for (const key of [first, foreign, dearer]) t.match(key, /^[\w-]{43}$/);
  },
);
