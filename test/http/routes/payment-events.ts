import t, { type Test } from "tap";
import { createTenant } from "../../../src/domain/tenants/create.ts";
import { call } from "../../sandbox/fixtures/calls.ts";
import { openApi } from "../../support/api.ts";
import { callBack, eventText, paidSession, signatureOf, signingSecret } from "../../support/stripe-events.ts";

const path = "/billing/stripe/events";
const settings = {
  PASSWRIGHT_STRIPE_SECRET_KEY: "sk_test_0123456789abcdef",
  PASSWRIGHT_STRIPE_API_URL: "http://127.0.0.1:9",
  PASSWRIGHT_STRIPE_WEBHOOK_SECRET: `whsec_dGhlIG5ldyBvbmU,${signingSecret}`,
};

async function opened(t: Test, wish: Record<string, string> = settings) {
  const api = await openApi(t, { settings: wish });
  const { id: tenantId } = await createTenant(api, {
    name: "Example",
    billing: { mode: "prepaid", credits: 1 },
  });
  return {
    api,
    tenantId,
    send: (event: { body: string; headers: Record<string, string> }) =>
      call(`${api.url}${path}`, { method: "POST", ...event }),
    credits: async () => {
      const balance = await api.tenants.balance(tenantId, 0);
      return balance?.mode === "prepaid" ? balance.credits : null;
    },
  };
}

t.test("who paid gets the credits once, whatever is told of the session, and in which order", async (t) => {
  const { send, credits, tenantId } = await opened(t);
  const session = paidSession(tenantId);
  const first = callBack(session);
  const told = [
    [callBack({ ...session, payment_status: "unpaid" }), "ignored"],
    [callBack(session, "checkout.session.async_payment_succeeded"), "granted"],
    [first, "granted_before"],
    [first, "granted_before"],
    [callBack(session), "granted_before"],
    [callBack({ ...session, payment_status: "unpaid" }), "ignored"],
  ] as const;
  for (const [event, outcome] of told) {
    const { status, json } = await send(event);
    t.strictSame({ status, json }, { status: 200, json: { outcome } });
  }
  t.equal(await credits(), 1001);
});

t.test("equal call-backs at one moment are one grant", async (t) => {
  const { send, credits, tenantId } = await opened(t);
  const event = callBack(paidSession(tenantId));
  const replies = await Promise.all(Array.from({ length: 20 }, () => send(event)));
  t.strictSame(replies.map(({ json }) => json.outcome).sort(), [
    "granted",
    ...Array.from({ length: 19 }, () => "granted_before"),
  ]);
  t.equal(await credits(), 1001);
});

t.test("what cannot be put right by telling it again is answered 200", async (t) => {
  const { api, send, tenantId } = await opened(t);
  const billing = { mode: "contract", monthlyCap: 5 } as const;
  const contractor = await createTenant(api, { name: "Contract", billing });
  for (const [event, outcome] of [
    [callBack(paidSession(api.ids.uuid())), "no_tenant"],
    [callBack(paidSession(contractor.id)), "contract"],
    [callBack(paidSession(tenantId, { mode: "subscription" })), "ignored"],
    [callBack({ id: "in_1", object: "invoice" }, "invoice.paid"), "ignored"],
    [callBack({ id: "cus_1" }, "a.type.of.tomorrow"), "ignored"],
  ] as const) {
    t.match(await send(event), { status: 200, json: { outcome } });
  }
});

t.test("what is not signed by Stripe changes nothing, and names the header", async (t) => {
  const { api, send, credits, tenantId } = await opened(t);
  const body = eventText(paidSession(tenantId));
  const json = { "content-type": "application/json" };
  for (const signature of [
    undefined,
    "t=1,v1=00",
    signatureOf(body, { secret: "whsec_of_somebody_else" }),
    signatureOf(body, { atMs: api.clock.nowMs() - 301_000 }),
    signatureOf(`${body} `),
  ]) {
    const headers = { ...json, ...(signature !== undefined && { "stripe-signature": signature }) };
    const reply = await send({ body, headers });
    t.equal(reply.status, 400, signature ?? "none");
    t.match(reply.headers["content-type"], /^application\/problem\+json/);
    t.match(reply.json, { error: "invalid_request", details: [{ path: "Stripe-Signature" }] });
  }
  t.equal(await credits(), 1);
});

t.test("every byte counts: the body is checked as it came", async (t) => {
  const { send, tenantId } = await opened(t);
  const spaced = JSON.stringify(JSON.parse(eventText(paidSession(tenantId))), null, 3);
  const headers = { "stripe-signature": signatureOf(spaced) };
  t.match(await send({ body: spaced, headers }), { status: 200, json: { outcome: "granted" } });
  const compact = JSON.stringify(JSON.parse(spaced));
  t.equal((await send({ body: compact, headers })).status, 400);
});

t.test("a body above the limit is not read", async (t) => {
  const { send, tenantId } = await opened(t);
  const event = callBack(paidSession(tenantId, { filling: "x".repeat(64 * 1024) }));
  t.match(await send(event), { status: 413, json: { error: "invalid_request" } });
});

t.test("an installation without key or secret says which setting is missing", async (t) => {
  const { PASSWRIGHT_STRIPE_WEBHOOK_SECRET: secret, ...withoutSecret } = settings;
  for (const [wish, missing] of [
    [withoutSecret, /PASSWRIGHT_STRIPE_WEBHOOK_SECRET/],
    [{ PASSWRIGHT_STRIPE_WEBHOOK_SECRET: secret }, /PASSWRIGHT_STRIPE_SECRET_KEY/],
  ] as const) {
    const { send, credits, tenantId } = await opened(t, wish);
    const reply = await send(callBack(paidSession(tenantId)));
    t.match(reply, { status: 400, json: { error: "payments_not_configured", detail: missing } });
    t.equal(await credits(), 1);
  }
});
