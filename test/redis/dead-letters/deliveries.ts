import t, { type Test } from "tap";
import { openDeadLetters } from "../../support/dead-letters.ts";
import { openStore } from "../../support/store.ts";
import { openSubscriber } from "../../support/webhooks.ts";
import { depth } from "../../support/work.ts";

const thirtyDays = 30 * 24 * 3600;

/** A webhook whose one delivery is a dead letter after these answers. */
async function deadDelivery(t: Test, statusCodes = [500, 503]) {
  const store = await openStore(t, { partitions: 1 });
  const subscriber = openSubscriber(store);
  const webhook = await subscriber.subscribe();
  const dead = openDeadLetters(store);
  await dead.killDelivery(subscriber, statusCodes);
  const [letter] = await dead.list();
  if (letter === undefined) throw new Error("there is no dead letter");
  const { tenantId } = subscriber;
  return {
    ...dead,
    store,
    subscriber,
    webhook,
    letter,
    key: store.keys.record(tenantId, "delivery", letter.recordId),
    bodyKey: store.keys.event(tenantId, letter.facts?.eventId ?? ""),
    look: () => subscriber.deliveries.find(tenantId, letter.recordId),
    ttl: (key: string) => store.connection.ttl(key),
  };
}

t.test(
  "a replayed delivery keeps its ids and its history, has all of its schedule again, and can arrive",
  async (t) => {
    const at = await deadDelivery(t);
    t.match(await at.look(), { status: "dead_lettered" });
    t.equal(await at.replay(at.letter), "replayed");
    const before = [{ number: 1 }, { number: 2 }];
    t.match(await at.look(), {
      status: "pending",
      attempts: before,
      nextAttemptAtMs: at.store.clock.nowMs(),
    });
    t.strictSame(await at.list(), []);

    const [task, ...others] = await at.subscriber.take();
    if (task === undefined) return t.fail("it is not in the queue");
    t.strictSame(others, []);
    t.match(task, { id: at.letter.recordId, attempt: 1, workClass: "webhooks" });
    t.equal(task.record["send:earlier"], "2");
    t.equal(task.record.event, at.letter.facts?.eventId);
    const attempt = { number: 3, atMs: 5, statusCode: 200, durationMs: 1, error: null };
    t.ok(await at.subscriber.deliveries.settle(task, attempt, { delivered: true }));
    t.match(await at.look(), { status: "delivered", attempts: [...before, attempt] });
    t.strictSame(await depth(at.store, 0), { entries: 0, pending: 0 });
    t.ok((await at.ttl(at.key)) > thirtyDays - 60);
    t.ok((await at.ttl(at.bodyKey)) > thirtyDays - 60, "the body goes, too");
    return;
  },
);

t.test("two replays at once put a delivery into the queue once", async (t) => {
  const at = await deadDelivery(t);
  const outcomes = await Promise.all([at.replay(at.letter), at.replay(at.letter)]);
  t.strictSame(outcomes.sort(), ["missing", "replayed"]);
  t.equal((await at.subscriber.take()).length, 1);
});

t.test("a delivery that is given up again shows the attempts of every try", async (t) => {
  const at = await deadDelivery(t, [500, 503]);
  await at.replay(at.letter);
  for (const task of await at.subscriber.take()) {
    const number = Number(task.record["send:earlier"]) + task.attempt;
    const attempt = { number, atMs: 9, statusCode: 404, durationMs: 3, error: "answered 404" };
    const failure = { code: "http_404", description: "answered 404" };
    await at.subscriber.deliveries.settle(task, attempt, { dueAtMs: null, failure });
  }
  const [letter] = await at.list();
  if (letter === undefined) return t.fail("there is no dead letter");
  t.match(letter, { reason: "http_404", recordId: at.letter.recordId, facts: { attempts: 1, replays: 1 } });
  const details = await at.deadLetters.details(letter);
  t.match(details?.attempts, [
    { number: 1, statusCode: 500 },
    { number: 2, statusCode: 503 },
    { number: 3, statusCode: 404 },
  ]);
  t.equal(JSON.parse(details?.body ?? "null").id, letter.facts?.eventId);
  return;
});

t.test("an event's body stays as long as one of its deliveries is a dead letter", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const subscriber = openSubscriber(store);
  await subscriber.subscribe();
  await subscriber.subscribe();
  const dead = openDeadLetters(store);
  await dead.killDelivery(subscriber);
  const [first, second] = await dead.list();
  if (first === undefined || second === undefined) return t.fail("there are no two dead letters");
  const body = store.keys.event(subscriber.tenantId, first.facts?.eventId ?? "");
  t.equal(first.facts?.eventId, second.facts?.eventId);
  await dead.replay(first);
  t.equal(await store.connection.ttl(body), -1);
  await dead.deadLetters.purge(second);
  t.ok((await store.connection.ttl(body)) > thirtyDays - 60);
  return;
});

t.test("a purged delivery can no longer be replayed, and expires", async (t) => {
  const at = await deadDelivery(t);
  t.equal(await at.ttl(at.key), -1);
  t.equal(await at.deadLetters.purge(at.letter), "purged");
  t.strictSame(await at.list(), []);
  t.equal(await at.replay(at.letter), "missing");
  t.equal(await at.deadLetters.purge(at.letter), "missing");
  t.match(await at.look(), { status: "dead_lettered" });
  t.ok((await at.ttl(at.key)) > thirtyDays - 60);
});

t.test("a letter whose record is gone says so, stays, and can be purged", async (t) => {
  const at = await deadDelivery(t);
  await at.store.connection.del(at.key);
  t.equal(await at.replay(at.letter), "record_gone", "also when it went after the letter was read");
  const [letter] = await at.list();
  if (letter === undefined) return t.fail("the letter is gone");
  t.match(letter, { id: at.letter.id, reason: "http_503", facts: null });
  t.equal(await at.replay(letter), "record_gone");
  t.equal(await at.deadLetters.purge(letter), "purged");
  t.strictSame(await at.list(), []);
  return;
});

t.test("a delivery that could only die again stays, and says why", async (t) => {
  const at = await deadDelivery(t);
  const obstacle = async () => (await at.list())[0]?.facts?.obstacle;
  t.equal(await obstacle(), null);

  const body = (await at.store.connection.get(at.bodyKey)) ?? "";
  await at.store.connection.del(at.bodyKey);
  t.equal(await obstacle(), "event_expired");
  t.equal(await at.replay(at.letter), "event_expired");
  await at.store.connection.set(at.bodyKey, body);

  const inactive = await at.subscriber.change(at.webhook, { isActive: false });
  t.equal(await obstacle(), "webhook_inactive");
  t.equal(await at.replay(at.letter), "webhook_inactive");
  const active = await at.subscriber.change(inactive, { isActive: true });
  t.equal(await obstacle(), null, "what can be put right is no obstacle any more");

  await at.subscriber.webhooks.remove(active, null);
  t.equal(await obstacle(), "webhook_deleted");
  t.equal(await at.replay(at.letter), "webhook_deleted");
  t.match(await at.look(), { status: "dead_lettered" });
  t.strictSame(await at.subscriber.take(), []);
  t.match(await at.list(), [{ id: at.letter.id, facts: { replays: 0 } }]);
  t.equal(await at.deadLetters.purge(at.letter), "purged");
});
