import t, { type Test } from "tap";
import { addEvent, openOutbox } from "../../support/outbox.ts";
import { openStore } from "../../support/store.ts";
import { openSubscriber } from "../../support/webhooks.ts";

const day = 24 * 3600 * 1000;

async function opened(t: Test) {
  const store = await openStore(t);
  const at = openSubscriber(store);
  const webhook = await at.subscribe();
  const index = store.keys.deliveries(at.tenantId, webhook.id);
  const list = (page: number, pageSize: number) =>
    at.deliveries.list(
      { tenantId: at.tenantId, webhookId: webhook.id, nowMs: store.clock.nowMs() },
      { page, pageSize },
    );
  return { ...at, store, webhook, index, list };
}

t.test("a webhook's deliveries are listed newest first, page by page", async (t) => {
  const at = await opened(t);
  const other = await at.subscribe({ events: ["pass.revoked"] });
  const events = [];
  for (let i = 0; i < 5; i++) {
    events.unshift(await at.fire());
    at.store.clock.forward(1);
  }
  await at.fire("pass.revoked");
  const idsOf = async (page: number) => (await at.list(page, 2)).items.map(({ eventId }) => eventId);
  t.strictSame(await idsOf(1), events.slice(0, 2));
  t.strictSame(await idsOf(3), events.slice(4));
  t.strictSame(await at.list(4, 2), { items: [], total: 5 });
  t.equal((await at.history(other)).length, 1);
  const stranger = { tenantId: at.store.ids.uuid(), webhookId: at.webhook.id, nowMs: at.store.clock.nowMs() };
  t.strictSame(await at.deliveries.list(stranger, { page: 1, pageSize: 10 }), { items: [], total: 0 });
});

t.test("history ends after thirty days, also where nothing happens any more", async (t) => {
  const at = await opened(t);
  await at.fire();
  at.store.clock.forward(30 * day);
  t.equal((await at.list(1, 10)).total, 1, "thirty days to the millisecond");
  at.store.clock.forward(1);
  t.strictSame(await at.list(1, 10), { items: [], total: 0 });
  const seconds = await at.store.connection.ttl(at.index);
  t.ok(seconds > 29 * 24 * 3600 && seconds <= 30 * 24 * 3600, "the list of a silent webhook goes by itself");
});

t.test("what is out of retention leaves the list as new deliveries come, some at a time", async (t) => {
  const at = await opened(t);
  for (let i = 0; i < 25; i++) await addEvent(at.store, { tenantId: at.tenantId, type: "pass.created" });
  await openOutbox(at.store).fanOut(50);
  t.equal(await at.store.connection.zcard(at.index), 25);
  at.store.clock.forward(30 * day + 1);
  for (const left of [16, 7, 3, 4]) {
    await at.fire();
    t.equal(await at.store.connection.zcard(at.index), left);
  }
  t.equal((await at.list(1, 10)).total, 4);
});

t.test("a delivery that is gone is not shown, whatever the list says", async (t) => {
  const at = await opened(t);
  await at.fire();
  await at.store.connection.zadd(at.index, at.store.clock.nowMs(), at.store.ids.uuid());
  t.equal((await at.list(1, 10)).items.length, 1);
});
