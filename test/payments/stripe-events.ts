import { randomUUID } from "node:crypto";
import t from "tap";
import { createStripePayments } from "../../src/payments/stripe.ts";
import { eventText, paidSession, signatureOf, signingSecret } from "../support/stripe-events.ts";

const nowMs = Date.parse("2026-11-21T06:43:46.000Z");
const otherSecret = "whsec_YW5vdGhlciBzZWNyZXQ";
const tenantId = randomUUID();

/** Reads an event as an installation with these secrets does, by default signed now and with the first of them. */
function read(body: string, given: { signature?: string | null; secrets?: readonly string[] } = {}) {
  const { signature = signatureOf(body, { atMs: nowMs }), secrets = [signingSecret] } = given;
  const payments = createStripePayments({
    secretKey: "sk_test_0123456789abcdef",
    apiUrl: "http://127.0.0.1:9",
    webhookSecrets: secrets,
    clock: { nowMs: () => nowMs },
    product: { name: "Passwright", version: "1.2.3" },
  });
  return payments.readEvent(Buffer.from(body), signature ?? undefined);
}

const session = paidSession(tenantId);
const paid = eventText(session);
const refused = { code: "invalid_request", details: [{ path: "Stripe-Signature" }] };

t.test("a paid session says what was bought, and for whom, as it stood when it was opened", async (t) => {
  for (const type of ["checkout.session.completed", "checkout.session.async_payment_succeeded"]) {
    const body = eventText(session, type);
    t.strictSame(await read(body), {
      id: JSON.parse(body).id,
      type,
      kind: "paid",
      payment: { sessionId: session.id, tenantId, packageId: "starter", credits: 1000 },
    });
  }
});

t.test("a signature counts for five minutes", async (t) => {
  const signedAgo = (seconds: number) => signatureOf(paid, { atMs: nowMs - seconds * 1000 });
  t.match(await read(paid, { signature: signedAgo(300) }), { kind: "paid" });
  await t.rejects(read(paid, { signature: signedAgo(301) }), refused);
});

t.test("either of two secrets will do while they are changed, and no other", async (t) => {
  for (const secret of [signingSecret, otherSecret]) {
    const signature = signatureOf(paid, { secret, atMs: nowMs });
    t.match(await read(paid, { signature, secrets: [signingSecret, otherSecret] }), { kind: "paid" });
    t.match(await read(paid, { signature, secrets: [secret] }), { kind: "paid" });
    const others = [signingSecret, otherSecret, "whsec_third"].filter((one) => one !== secret);
    await t.rejects(read(paid, { signature, secrets: others }), refused);
  }
});

t.test("while Stripe itself changes secrets it signs with both", async (t) => {
  const [ours, stale] = [signingSecret, otherSecret].map((secret) =>
    signatureOf(paid, { secret, atMs: nowMs }),
  );
  t.match(await read(paid, { signature: `${stale},${ours?.split(",")[1]}` }), { kind: "paid" });
});

t.test("what was forged or touched on the way is refused", async (t) => {
  const signature = signatureOf(paid, { atMs: nowMs });
  const [instant = "", digest = ""] = signature.split(",");
  for (const [what, forged] of [
    ["none", null],
    ["empty", ""],
    ["no scheme", "nonsense"],
    ["only the instant", instant],
    ["only the digest", digest],
    ["another instant", `t=${nowMs / 1000 - 1},${digest}`],
    ["another digest", `${instant},v1=${"0".repeat(64)}`],
    ["a shorter digest", signature.slice(0, -1)],
    ["the old scheme", `${instant},${digest.replace("v1", "v0")}`],
  ] as const) {
    await t.rejects(read(paid, { signature: forged }), refused, what);
  }
  for (const touched of [paid.replace('"1000"', '"9999"'), `${paid} `, paid.replace(":", ": "), ""]) {
    await t.rejects(read(touched, { signature }), refused, touched.slice(-20));
  }
});

t.test("what is no purchase of credits is ignored, and says why", async (t) => {
  const metadata = session.metadata as Record<string, string>;
  for (const [reason, change] of [
    ["unpaid", { payment_status: "unpaid" }],
    ["subscription", { mode: "subscription" }],
    ["not_ours", { mode: "setup" }],
    ["not_ours", { metadata: null }],
    ["not_ours", { metadata: {} }],
    ["not_ours", { metadata: { ...metadata, tenant_id: "somebody" } }],
    ["not_ours", { metadata: { ...metadata, credits: "-5" } }],
    ["not_ours", { metadata: { ...metadata, credits: "1e9" } }],
  ] as const) {
    const event = await read(eventText({ ...session, ...change }));
    t.match(event, { kind: "ignored", reason }, JSON.stringify(change));
  }
  for (const type of ["invoice.paid", "checkout.session.expired", "checkout.session.async_payment_failed"]) {
    t.match(await read(eventText(session, type)), { kind: "ignored", reason: "other_type", type });
  }
});

t.test("what is signed and no event is refused, and the log learns why", async (t) => {
  for (const body of ["{", "null", "[]", '{"object":"v2.core.event"}', '{"id":"evt_1","type":"x"}']) {
    await t.rejects(read(body), { code: "invalid_request", details: [{ path: "" }], cause: Error }, body);
  }
});

t.test("without a secret nothing can be believed, and the operator is told which", async (t) => {
  await t.rejects(read(paid, { secrets: [] }), {
    code: "payments_not_configured",
    detail: /PASSWRIGHT_STRIPE_WEBHOOK_SECRET/,
  });
});
