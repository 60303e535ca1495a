import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import t, { type Test } from "tap";
import type { CheckoutOrder } from "../../src/domain/billing/payments.ts";
import { PasswrightError } from "../../src/domain/errors.ts";
import { createStripePayments } from "../../src/payments/stripe.ts";
import { call } from "../sandbox/fixtures/calls.ts";
import { running } from "../sandbox/fixtures/running.ts";
import { testKey } from "../sandbox/fixtures/stripe.ts";

const { controlUrl } = await running(t);
const product = { name: "Passwright", version: "1.2.3" };
const paymentsAt = (apiUrl: string, secretKey = testKey) =>
  createStripePayments({ secretKey, apiUrl, product, webhookSecrets: [], clock: { nowMs: Date.now } });
const payments = paymentsAt(controlUrl);

let count = 0;
/** A valid order of a tenant of its own. */
function order(change: Partial<CheckoutOrder> = {}): CheckoutOrder {
  count += 1;
  const price = { amount: 4900, currency: "EUR" };
  return {
    tenantId: `tenant-${count}`,
    item: { kind: "package", package: { id: "starter", name: "1,000 passes", credits: 1000, price } },
    successUrl: "https://shop.example/ok?s={CHECKOUT_SESSION_ID}",
    cancelUrl: null,
    idempotencyKey: null,
    ...change,
  };
}

/** What Stripe holds of a tenant. */
async function sessionsOf(tenantId: string) {
  const { json } = await call(`${controlUrl}/sandbox/stripe/state?client_reference_id=${tenantId}`);
  return json.sessions;
}

const script = (fault: object) =>
  call(`${controlUrl}/sandbox/stripe/faults`, { method: "POST", body: fault });

t.test("a package is a payment, with all that the grant needs written on it", async (t) => {
  const wanted = order({ cancelUrl: "https://shop.example/back" });
  const checkout = await payments.createCheckout(wanted);
  const [session] = await sessionsOf(wanted.tenantId);
  t.strictSame(checkout, {
    sessionId: session.id,
    url: `${controlUrl}/c/pay/${session.id}`,
    expiresAtMs: session.expires_at * 1000,
  });
  const metadata = { tenant_id: wanted.tenantId, package_id: "starter", credits: "1000" };
  t.match(session, {
    mode: "payment",
    amount_total: 4900,
    currency: "eur",
    success_url: wanted.successUrl,
    cancel_url: wanted.cancelUrl,
    line_items: [{ name: "1,000 passes", quantity: 1, interval: null }],
  });
  t.strictSame(session.metadata, metadata);
  t.strictSame(session.payment_intent_data, { metadata });
});

t.test("a plan is a subscription", async (t) => {
  const price = { amount: 99_000, currency: "jpy" };
  const plan = { id: "team", name: "Team", monthlyPasses: 5000, interval: "year" as const, price };
  const wanted = order({ item: { kind: "plan", plan } });
  await payments.createCheckout(wanted);
  const [session] = await sessionsOf(wanted.tenantId);
  const metadata = { tenant_id: wanted.tenantId, plan_id: "team", monthly_passes: "5000" };
  t.match(session, {
    mode: "subscription",
    amount_total: 99_000,
    currency: "jpy",
    line_items: [{ interval: "year" }],
  });
  t.strictSame(session.metadata, metadata);
  t.strictSame(session.subscription_data, { metadata });
});

t.test("currencies that Stripe counts in hundredths are charged in full", async (t) => {
  const price = { amount: 500, currency: "ISK" };
  const item = { kind: "package", package: { id: "a", name: "A", credits: 1, price } } as const;
  const wanted = order({ item });
  await payments.createCheckout(wanted);
  t.match(await sessionsOf(wanted.tenantId), [{ amount_total: 50_000, currency: "isk" }]);
});

t.test("orders with one key are one session", async (t) => {
  const wanted = order({ idempotencyKey: "key-1" });
  const first = await payments.createCheckout(wanted);
  t.strictSame(await payments.createCheckout(wanted), first);
  t.equal((await sessionsOf(wanted.tenantId)).length, 1);
  const keyless = order();
  await payments.createCheckout(keyless);
  await payments.createCheckout(keyless);
  t.equal((await sessionsOf(keyless.tenantId)).length, 2);
});

t.test("an answer that was lost on the way is asked for again, and opens nothing twice", async (t) => {
  for (const idempotencyKey of ["key-2", null]) {
    const wanted = order({ idempotencyKey });
    await script({ reset: true, after: true });
    const { sessionId } = await payments.createCheckout(wanted);
    t.match(await sessionsOf(wanted.tenantId), [{ id: sessionId }]);
    t.equal((await sessionsOf(wanted.tenantId)).length, 1);
  }
});

t.test("an address that Stripe refuses is the caller's to correct", async (t) => {
  const successUrl = "https://shop.example:port/";
  await t.rejects(payments.createCheckout(order({ successUrl })), {
    code: "invalid_request",
    details: [{ path: "/success_url", message: "is refused by the payment provider: Not a valid URL" }],
  });
});

/** How an order fails. */
async function failure(pending: Promise<unknown>): Promise<PasswrightError> {
  const error = await pending.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof PasswrightError) return error;
  throw new Error(`not refused as it should be: ${error}`);
}

t.test(
  "what an operator has to put right shows nothing to the caller, and everything to the log",
  async (t) => {
    const item = order().item;
    if (item.kind !== "package") throw new Error("an order is of a package");
    const cheap = { ...item.package, price: { amount: 1, currency: "EUR" } };
    for (const [refused, cause] of [
      [payments.createCheckout(order({ item: { kind: "package", package: cheap } })), /at least 50/],
      [paymentsAt(controlUrl, "sk_live_0123456789").createCheckout(order()), /^Invalid API Key provided/],
    ] as const) {
      const error = await failure(refused);
      t.equal(error.code, "internal_error");
      t.match((error.cause as Error).message, cause);
      t.notMatch(error.detail, cause);
    }
  },
);

t.test("a Stripe that is busy, broken or away is unavailable", async (t) => {
  for (const status of [409, 429, 500, 503]) {
    await script({ status, times: 3, headers: { "stripe-should-retry": "false" } });
    t.match(
      await failure(payments.createCheckout(order())),
      { code: "unavailable", retryAfterSeconds: 5 },
      String(status),
    );
    await call(`${controlUrl}/sandbox/stripe/faults`, { method: "DELETE" });
  }
  t.match(await failure(paymentsAt(await closedPort(t)).createCheckout(order())), { code: "unavailable" });
});

t.test("an answer that is no JSON is unavailable too", async (t) => {
  const server = createServer((_request, response) => response.writeHead(502).end("<h1>Bad Gateway</h1>"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const error = await failure(paymentsAt(`http://127.0.0.1:${port}`).createCheckout(order()));
  t.equal(error.code, "unavailable");
});

t.test("Stripe is told who calls, and nothing of how fast", async (t) => {
  const seen: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    const session = { id: "cs_1", url: "https://pay.example/", expires_at: 1 };
    response
      .writeHead(200, { "content-type": "application/json", "request-id": "req_1" })
      .end(JSON.stringify(session));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const here = paymentsAt(`http://127.0.0.1:${port}`);
  await here.createCheckout(order());
  await here.createCheckout(order({ idempotencyKey: "mine" }));
  t.match(seen[0]?.["user-agent"], / Passwright\/1\.2\.3/);
  t.equal(seen[1]?.["idempotency-key"], "mine");
  t.notOk(seen.some((headers) => "x-stripe-client-telemetry" in headers));
});

/** An address at which nothing listens. */
async function closedPort(t: Test): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  t.comment(`nothing listens on ${port}`);
  return `http://127.0.0.1:${port}`;
}
