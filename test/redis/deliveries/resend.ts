import t, { type Test } from "tap";
import type { Task } from "../../../src/domain/jobs/work.ts";
import { keySpace } from "../../support/key-space.ts";
import { openStore } from "../../support/store.ts";
import { openSubscriber } from "../../support/webhooks.ts";
import { depth, openQueue } from "../../support/work.ts";

const refused = { code: "http_503", description: "answered 503" };
const thirtyDays = 30 * 24 * 3600;

/** A webhook with one delivery that waits for its first attempt. */
async function opened(t: Test) {
  const store = await openStore(t, { partitions: 1 });
  const at = openSubscriber(store);
  const webhook = await at.subscribe();
  await at.fire();
  const look = async () => {
    const [delivery] = await at.history(webhook);
    if (delivery === undefined) throw new Error("there is no delivery");
    return delivery;
  };
  const { id, eventId, tenantId, webhookId } = await look();
  const take = async (): Promise<Task> => {
    const [task] = await at.take();
    if (task === undefined) throw new Error("nothing waits");
    return task;
  };
  const settle = async (task: Task, number: number, next: Parameters<typeof at.deliveries.settle>[2]) => {
    const error = "delivered" in next ? null : refused.description;
    const statusCode = error === null ? 200 : 503;
    const attempt = { number, atMs: number, statusCode, durationMs: 1, error };
    t.ok(await at.deliveries.settle(task, attempt, next), `attempt ${number} is written`);
  };
  return {
    ...at,
    store,
    webhook,
    look,
    take,
    settle,
    key: store.keys.record(tenantId, "delivery", id),
    bodyKey: store.keys.event(tenantId, eventId),
    letters: () => store.connection.xrange(store.keys.deadLetters(0), "-", "+"),
    resend: () => at.deliveries.resend({ id, tenantId, webhookId, eventId }, store.clock.nowMs()),
  };
}

t.test(
  "what was delivered is queued again under its ids, and is kept until it is finished anew",
  async (t) => {
    const at = await opened(t);
    const first = await at.take();
    await at.settle(first, 1, { delivered: true });
    t.ok((await at.store.connection.ttl(at.key)) > 0);

    t.equal(await at.resend(), "queued");
    t.equal(await at.store.connection.ttl(at.key), -1, "unfinished, it does not expire");
    t.match(await at.look(), {
      status: "pending",
      nextAttemptAtMs: at.store.clock.nowMs(),
      attempts: [{ number: 1 }],
    });
    const again = await at.take();
    t.match(again, { id: first.id, attempt: 1, lane: "send", record: { event: first.record.event } });
    await at.settle(again, 2, { delivered: true });
    const seconds = await at.store.connection.ttl(at.key);
    t.ok(seconds > thirtyDays - 10 && seconds <= thirtyDays, `${seconds} s`);
    t.strictSame(await depth(at.store, 0), { entries: 0, pending: 0 });
  },
);

t.test(
  "a dead letter leaves the stream when its delivery is sent again, and no other one does",
  async (t) => {
    const at = await opened(t);
    await at.settle(await at.take(), 1, { dueAtMs: null, failure: refused });
    await at.fire();
    await at.settle(await at.take(), 1, { dueAtMs: null, failure: refused });
    const [, other] = await at.letters();

    t.equal(await at.resend(), "queued");
    t.strictSame(await at.letters(), [other]);
    t.equal(await at.store.connection.hexists(at.key, "send:dead"), 0);
    t.ok((await at.store.connection.ttl(at.bodyKey)) > thirtyDays - 10, "no dead letter needs the body");

    await at.settle(await at.take(), 2, { dueAtMs: null, failure: refused });
    t.equal((await at.letters()).length, 2, "it may die once more");
    t.equal(await at.store.connection.hget(at.key, "send:dead"), (await at.letters())[1]?.[0]);
  },
);

t.test(
  "what waits for its next attempt is sent now, and not again when that would have been due",
  async (t) => {
    const at = await opened(t);
    await at.settle(await at.take(), 1, { dueAtMs: 1e15, failure: refused });
    t.equal(await at.resend(), "queued");
    t.equal(await at.store.connection.zcard(at.store.keys.delayed(0, "webhooks")), 0);
    const again = await at.take();
    t.equal(again.attempt, 1);
    await at.settle(again, 2, { delivered: true });
    const queue = await openQueue(at.store);
    t.strictSame(await queue.promoteDue(2e15), { promoted: 0, nextDueAtMs: null });
  },
);

t.test("what a worker has in hand is left to it, untouched", async (t) => {
  const at = await opened(t);
  const task = await at.take();
  const before = await keySpace(at.store);
  t.equal(await at.resend(), "in_hand");
  t.strictSame(await keySpace(at.store), before);
  await at.settle(task, 1, { delivered: true });
});

t.test("however often it is asked for, what is queued already is queued once", async (t) => {
  const at = await opened(t);
  for (let i = 0; i < 3; i++) t.equal(await at.resend(), "queued");
  t.strictSame(await depth(at.store, 0), { entries: 1, pending: 0 });
  t.equal((await at.take()).attempt, 1);
});

t.test("a delivery whose place in the queue was lost comes back", async (t) => {
  const at = await opened(t);
  await at.store.connection.del(at.store.keys.ready(0, "webhooks"));
  t.equal(await at.resend(), "queued");
  t.equal((await at.take()).attempt, 1);
});

t.test("without its body nothing is queued, and its dead letter stays", async (t) => {
  const at = await opened(t);
  await at.settle(await at.take(), 1, { dueAtMs: null, failure: refused });
  await at.store.connection.del(at.bodyKey);
  const before = await keySpace(at.store);
  t.equal(await at.resend(), "bodiless");
  t.strictSame(await keySpace(at.store), before);
});

t.test("nothing is made of a delivery that is gone, or is another tenant's", async (t) => {
  const at = await opened(t);
  const { id, tenantId, webhookId, eventId } = await at.look();
  const it = { id, tenantId, webhookId, eventId };
  const before = await keySpace(at.store);
  const nowMs = at.store.clock.nowMs();
  t.equal(await at.deliveries.resend({ ...it, id: at.store.ids.uuid() }, nowMs), "gone");
  t.equal(await at.deliveries.resend({ ...it, tenantId: at.store.ids.uuid() }, nowMs), "gone");
  t.strictSame(await keySpace(at.store), before);
});

t.test("the numbers of attempts go on, however often it is sent again", async (t) => {
  const at = await opened(t);
  let number = 0;
  for (const attempts of [2, 1, 3]) {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const task = await at.take();
      t.equal(task.attempt, attempt);
      t.equal(Number(task.record["send:earlier"] ?? 0), number - (attempt - 1));
      number += 1;
      await at.settle(task, number, { dueAtMs: at.store.clock.nowMs(), failure: refused });
    }
    await at.resend();
  }
});
