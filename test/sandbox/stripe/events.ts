import { join } from "node:path";
import Stripe from "stripe";
import t, { type Test } from "tap";
import type { StoredEvent } from "../../../src/sandbox/stripe/events.ts";
import { until } from "../../support/until.ts";
import { call } from "../fixtures/calls.ts";
import { listening } from "../fixtures/listener.ts";
import { running } from "../fixtures/running.ts";
import { get, payment, post, subscription } from "../fixtures/stripe.ts";

const secret = "whsec_c2FuZGJveA";
const { webhooks } = new Stripe("sk_test_verifies");

/** A merchant that answers with these statuses in turn, and the last one ever after. */
async function merchant(t: Test, ...statuses: number[]) {
  const { heard, url } = await listening(t, ...statuses);
  return { heard, endpoint: { url: `${url}/events`, secret } };
}

const quick = [0, 0, 0, 0, 0];

async function paySession(controlUrl: string, parameters = payment) {
  const { json } = await post(controlUrl, { ...parameters, "metadata[tenant_id]": "t-1" });
  await call(json.url, { method: "POST" });
  return json;
}

const eventsOf = async (controlUrl: string): Promise<StoredEvent[]> =>
  (await call(`${controlUrl}/sandbox/stripe/events`)).json.events;

/** The only event, once no more tries are to come. */
const settled = (controlUrl: string): Promise<StoredEvent> =>
  until("the event is settled", async () => {
    const [stored] = await eventsOf(controlUrl);
    return stored?.pending === false && stored;
  });

t.test("a paid session is told once, signed so that Stripe's own library believes it", async (t) => {
  const { heard, endpoint } = await merchant(t, 200);
  const { controlUrl } = await running(t, { stripeEndpoint: endpoint, stripeRetryWaitsMs: quick });
  const opened = await paySession(controlUrl);
  await call(opened.url, { method: "POST" });
  const stored = await settled(controlUrl);
  t.match(stored.attempts, [{ answer: 200 }]);
  const [first] = heard;
  const body = first?.body ?? "";
  const signature = String(first?.headers["stripe-signature"]);
  t.equal(heard.length, 1);
  const event = webhooks.constructEvent(body, signature, secret);
  t.match(event, { object: "event", type: "checkout.session.completed", livemode: false });
  t.strictSame(event.data.object, (await get(controlUrl, opened.id)).json, "the session as the API shows it");
  t.match(event.data.object, { payment_status: "paid", metadata: { tenant_id: "t-1" } });
  t.throws(() => webhooks.constructEvent(body, signature, "whsec_another"));
});

t.test("a subscription is told likewise", async (t) => {
  const { heard, endpoint } = await merchant(t, 204);
  const { controlUrl } = await running(t, { stripeEndpoint: endpoint, stripeRetryWaitsMs: quick });
  await paySession(controlUrl, subscription);
  await settled(controlUrl);
  t.match(JSON.parse(heard[0]?.body ?? ""), { data: { object: { mode: "subscription" } } });
});

t.test("it is told again, the same, until it is taken; a redirect takes nothing", async (t) => {
  const { heard, endpoint } = await merchant(t, 500, 302, 400, 200);
  const { controlUrl } = await running(t, { stripeEndpoint: endpoint, stripeRetryWaitsMs: quick });
  await paySession(controlUrl);
  const { attempts } = await settled(controlUrl);
  t.strictSame(
    attempts.map(({ answer }) => answer),
    [500, 302, 400, 200],
  );
  t.equal(new Set(heard.map(({ body }) => body)).size, 1);
});

t.test("it is told five times at most, also where nobody listens", async (t) => {
  const { heard, endpoint } = await merchant(t, 503);
  const silent = { ...endpoint, url: "http://127.0.0.1:9/" };
  const folder = t.testdir({ loud: {}, silent: {} });
  for (const [name, stripeEndpoint] of Object.entries({ loud: endpoint, silent })) {
    const dataDir = join(folder, name);
    const { controlUrl } = await running(t, { stripeEndpoint, stripeRetryWaitsMs: quick, dataDir });
    await paySession(controlUrl);
    t.equal((await settled(controlUrl)).attempts.length, 5);
  }
  t.equal(heard.length, 5);
});

t.test("control delivers an event again, as Stripe may at any time", async (t) => {
  const { heard, endpoint } = await merchant(t, 200);
  const { controlUrl } = await running(t, { stripeEndpoint: endpoint, stripeRetryWaitsMs: quick });
  await paySession(controlUrl);
  const { event } = await settled(controlUrl);
  const again = `${controlUrl}/sandbox/stripe/events/${event.id}/deliver`;
  const reply = await call(again, { method: "POST" });
  t.equal(reply.status, 200);
  t.match(reply.json.attempts, [{ answer: 200 }, { answer: 200 }]);
  t.equal(heard.length, 2);
  t.equal(heard[1]?.body, heard[0]?.body);
  const unknown = await call(`${controlUrl}/sandbox/stripe/events/evt_none/deliver`, { method: "POST" });
  t.equal(unknown.status, 404);
});

t.test("what a restart interrupted goes on afterwards", async (t) => {
  const { heard, endpoint } = await merchant(t, 500, 200);
  const given = { dataDir: t.testdir(), stripeEndpoint: endpoint };
  const first = await running(t, { ...given, stripeRetryWaitsMs: [0, 3_600_000] });
  await paySession(first.controlUrl);
  await until("it was told in vain", async () => {
    const [stored] = await eventsOf(first.controlUrl);
    return stored?.attempts.length === 1;
  });
  await first.close();
  const second = await running(t, { ...given, stripeRetryWaitsMs: quick });
  t.match((await settled(second.controlUrl)).attempts, [{ answer: 500 }, { answer: 200 }]);
  t.equal(heard[0]?.body, heard[1]?.body);
});

t.test("without an endpoint events are kept and not sent", async (t) => {
  const { controlUrl } = await running(t);
  await paySession(controlUrl);
  t.match(await eventsOf(controlUrl), [{ attempts: [], pending: false }]);
});
