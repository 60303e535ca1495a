import t from "tap";
import { createDeliveryStore } from "../../../src/redis/deliveries.ts";
import { openIssuer, passOf } from "../../support/issuer.ts";
import { openOutbox } from "../../support/outbox.ts";
import { keysOf, openStore } from "../../support/store.ts";
import { openQueue } from "../../support/work.ts";

const uuidVersion7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The ids of a webhook's deliveries, oldest first. */
function deliveriesOf(store: Awaited<ReturnType<typeof openStore>>, tenantId: string, webhookId: string) {
  return store.connection.zrange(store.keys.deliveries(tenantId, webhookId), "0", "-1");
}

t.test("an event becomes one delivery for each webhook that is subscribed to it", async (t) => {
  const store = await openStore(t);
  const issuer = await openIssuer(store, { wallets: ["apple"] });
  const { tenantId } = issuer;
  const webhooks = [
    await issuer.subscribe("pass.created"),
    await issuer.subscribe("pass.revoked", "pass.created"),
  ];
  const deaf = await issuer.subscribe("pass.revoked");
  const stranger = await openIssuer(store);
  const foreign = await stranger.subscribe("pass.created");
  const accepted = await issuer.create();
  store.clock.forward(1000);
  t.equal(await openOutbox(store).fanOut(10), 1);

  const deliveries = createDeliveryStore(store);
  for (const webhookId of webhooks) {
    const ids = await deliveriesOf(store, tenantId, webhookId);
    t.equal(ids.length, 1);
    const delivery = await deliveries.find(tenantId, ids[0] ?? "");
    t.match(delivery, {
      webhookId,
      eventType: "pass.created",
      status: "pending",
      attempts: [],
      nextAttemptAtMs: store.clock.nowMs(),
      createdAtMs: store.clock.nowMs(),
    });
    const body = JSON.parse(
      Buffer.from((await deliveries.body(tenantId, delivery?.eventId ?? "")) ?? "null").toString(),
    );
    t.match(body, { id: delivery?.eventId, tenant_id: tenantId, data: { id: passOf(accepted).id } });
    t.match(delivery?.id, uuidVersion7);
  }
  t.strictSame(await deliveriesOf(store, tenantId, deaf), []);
  t.strictSame(await deliveriesOf(store, stranger.tenantId, foreign), []);
  t.equal(await store.connection.xlen(store.keys.outbox(issuer.partition)), 0);
});

t.test("the tasks of deliveries are taken with everything that an attempt needs", async (t) => {
  const store = await openStore(t);
  const issuer = await openIssuer(store, { wallets: ["apple"] });
  const webhook = await issuer.subscribe("pass.created");
  await issuer.create();
  await openOutbox(store).fanOut(10);
  const tasks = await (await openQueue(store)).claim([issuer.partition], 10);
  const [id] = await deliveriesOf(store, issuer.tenantId, webhook);
  t.match(
    tasks.find(({ kind }) => kind === "delivery"),
    { id, lane: "send", workClass: "webhooks", attempt: 1, record: { webhook, type: "pass.created" } },
  );
});

t.test("fan-outs at the same time make each delivery once", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const issuer = await openIssuer(store, { wallets: ["apple"] });
  const webhooks = [await issuer.subscribe("pass.created"), await issuer.subscribe("pass.created")];
  await Promise.all(Array.from({ length: 100 }, () => issuer.create()));
  const rounds = await Promise.all(
    [store, await store.another(), await store.another()].map(async (parts) => {
      const outbox = openOutbox(store, { through: parts });
      let events = 0;
      for (let last = -1; last !== 0; events += last) last = await outbox.fanOut(7);
      return events;
    }),
  );
  t.equal(
    rounds.reduce((sum, events) => sum + events, 0),
    100,
  );
  const ids = (await Promise.all(webhooks.map((id) => deliveriesOf(store, issuer.tenantId, id)))).flat();
  t.equal(new Set(ids).size, 200);
  const waiting = await store.connection.zrange(store.keys.ready(0, "webhooks"), "0", "-1");
  const queued = waiting.map((member) => member.split(/[: ]/)[2]);
  t.strictSame(queued.sort(), ids.sort(), "and queue it once");
});

t.test("delivery ids sort by the time of their events, whenever these are fanned out", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const issuer = await openIssuer(store, { wallets: ["apple"] });
  const webhook = await issuer.subscribe("pass.created");
  const times: number[] = [];
  for (let i = 0; i < 12; i++) {
    times.push(store.clock.nowMs());
    await issuer.create();
    store.clock.forward(1);
  }
  await openOutbox(store).fanOut(50);
  const ids = await deliveriesOf(store, issuer.tenantId, webhook);
  const timeOf = (id: string): number => Number.parseInt(id.replace("-", "").slice(0, 12), 16);
  t.ok(ids.every((id) => uuidVersion7.test(id)));
  t.strictSame(ids.sort().map(timeOf), times);
});

t.test("the delivery of an event to a webhook has the same id however often it is made", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const issuer = await openIssuer(store, { wallets: ["apple"] });
  const webhooks = [await issuer.subscribe("pass.created"), await issuer.subscribe("pass.created")];
  await issuer.create();
  const outboxKey = store.keys.outbox(0);
  const [entry] = await store.connection.xrange(outboxKey, "-", "+");
  const outbox = openOutbox(store);
  await outbox.fanOut(10);
  const ids = async () =>
    (await Promise.all(webhooks.map((id) => deliveriesOf(store, issuer.tenantId, id)))).flat();
  const first = await ids();
  await store.connection.xadd(outboxKey, "*", ...(entry?.[1] ?? []));
  t.equal(await outbox.fanOut(10), 1);
  t.strictSame(await ids(), first);
  t.equal(new Set(first).size, 2);
});

t.test("an event that nobody is subscribed to leaves nothing to deliver", async (t) => {
  const store = await openStore(t);
  const issuer = await openIssuer(store);
  await issuer.subscribe("pass.revoked");
  await issuer.create();
  t.equal(await openOutbox(store).fanOut(10), 0);
  const left = (await keysOf(store)).filter((key) => /:(outbox|event|delivery)(:|$)/.test(key));
  t.strictSame(left, []);
});

t.test("an event whose webhooks are gone by the time of its fan-out makes no delivery", async (t) => {
  const store = await openStore(t);
  const issuer = await openIssuer(store);
  const webhook = await issuer.subscribe("pass.created");
  await issuer.create();
  await store.connection.srem(store.keys.webhooksByType(issuer.tenantId, "pass.created"), webhook);
  t.equal(await openOutbox(store).fanOut(10), 1);
  t.strictSame(await deliveriesOf(store, issuer.tenantId, webhook), []);
  t.equal(await store.connection.zcard(store.keys.ready(issuer.partition, "webhooks")), 0);
});
