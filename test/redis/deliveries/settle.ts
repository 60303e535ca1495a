import t, { type Test } from "tap";
import { createDeliveryStore } from "../../../src/redis/deliveries.ts";
import { openIssuer } from "../../support/issuer.ts";
import { openOutbox } from "../../support/outbox.ts";
import { openStore } from "../../support/store.ts";
import { claimOf, depth, openQueue } from "../../support/work.ts";

const thirtyDays = 30 * 24 * 3600;
const refused = { code: "http_503", description: "answered 503" };

/** A delivery in a worker's hands. */
async function deliveryInHand(t: Test) {
  const store = await openStore(t, { partitions: 1 });
  const issuer = await openIssuer(store, { wallets: ["apple"] });
  await issuer.subscribe("pass.created");
  await issuer.create();
  await openOutbox(store).fanOut(10);
  const queue = await openQueue(store);
  const take = async () => {
    const task = (await claimOf(queue, issuer)).find(({ kind }) => kind === "delivery");
    if (task === undefined) throw new Error("there is no delivery");
    return task;
  };
  const task = await take();
  // The pass's own work is not looked at here.
  await store.connection.del(store.keys.queue(0, "interactive"));
  const deliveries = createDeliveryStore(store);
  return {
    ...store,
    store,
    queue,
    task,
    take,
    deliveries,
    look: () => deliveries.find(issuer.tenantId, task.id),
    key: store.keys.record(issuer.tenantId, "delivery", task.id),
    bodyKey: store.keys.event(issuer.tenantId, task.record.event ?? ""),
  };
}

const attempt = (number: number, statusCode: number | null, atMs = number * 1000) => ({
  number,
  atMs,
  statusCode,
  durationMs: 12,
  error: statusCode === 200 ? null : `answered ${statusCode}`,
});

t.test("a delivery that arrived is kept for thirty days", async (t) => {
  const at = await deliveryInHand(t);
  t.ok(await at.deliveries.settle(at.task, attempt(1, 200), { delivered: true }));
  t.match(await at.look(), { status: "delivered", attempts: [attempt(1, 200)], nextAttemptAtMs: null });
  t.strictSame(await depth(at.store, 0), { entries: 0, pending: 0 });
  const seconds = await at.connection.ttl(at.key);
  t.ok(seconds > thirtyDays - 10 && seconds <= thirtyDays, `${seconds} s`);
  t.ok((await at.connection.ttl(at.bodyKey)) > thirtyDays - 10);
  t.equal(await at.connection.exists(at.keys.deadLetters(0)), 0);
});

t.test("a delivery that failed is tried again when it is due, and keeps its history", async (t) => {
  const at = await deliveryInHand(t);
  t.ok(await at.deliveries.settle(at.task, attempt(1, 503), { dueAtMs: 9000, failure: refused }));
  t.match(await at.look(), { status: "retrying", attempts: [attempt(1, 503)], nextAttemptAtMs: 9000 });
  t.strictSame(await depth(at.store, 0), { entries: 0, pending: 0 });
  t.equal(await at.connection.ttl(at.key), -1, "it is not finished");

  t.strictSame(await at.queue.promoteDue(8999), { promoted: 0, nextDueAtMs: 9000 });
  t.strictSame(await at.queue.promoteDue(9000), { promoted: 1, nextDueAtMs: null });
  const again = await at.take();
  t.match(again, { id: at.task.id, attempt: 2, workClass: "webhooks" });
  t.ok(await at.deliveries.settle(again, attempt(2, 200), { delivered: true }));
  t.match(await at.look(), {
    status: "delivered",
    attempts: [attempt(1, 503), attempt(2, 200)],
    nextAttemptAtMs: null,
  });
});

t.test("attempts are told in their order, also from the tenth on", async (t) => {
  const at = await deliveryInHand(t);
  let task = at.task;
  for (let number = 1; number <= 11; number++) {
    await at.deliveries.settle(task, attempt(number, 503), { dueAtMs: number, failure: refused });
    await at.queue.promoteDue(number);
    task = await at.take();
  }
  const numbers = (await at.look())?.attempts.map(({ number }) => number);
  t.strictSame(numbers, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

t.test("a delivery that is given up becomes a dead letter and keeps its body for good", async (t) => {
  const at = await deliveryInHand(t);
  t.ok(await at.deliveries.settle(at.task, attempt(1, null), { dueAtMs: null, failure: refused }));
  t.match(await at.look(), { status: "dead_lettered", attempts: [attempt(1, null)], nextAttemptAtMs: null });
  const letters = await at.connection.xrange(at.keys.deadLetters(0), "-", "+");
  t.strictSame(
    letters.map(([, fields]) => fields),
    [["r", `${at.task.tenantId}:delivery:${at.task.id}`, "l", "send", "reason", "http_503", "c", "webhooks"]],
  );
  t.equal(await at.connection.hget(at.key, "send:dead"), letters[0]?.[0], "each leads to the other");
  t.strictSame([await at.connection.ttl(at.key), await at.connection.ttl(at.bodyKey)], [-1, -1]);
  t.strictSame(await at.queue.promoteDue(Number.MAX_SAFE_INTEGER), { promoted: 0, nextDueAtMs: null });
  t.strictSame(await depth(at.store, 0), { entries: 0, pending: 0 });
});

t.test("a delivery is found by its own tenant only", async (t) => {
  const at = await deliveryInHand(t);
  const stranger = at.ids.uuid();
  t.equal(await at.deliveries.find(stranger, at.task.id), null);
  t.equal(await at.deliveries.body(stranger, at.task.record.event ?? ""), null);
  t.equal(await at.deliveries.find(at.task.tenantId, at.ids.uuid()), null);
});
