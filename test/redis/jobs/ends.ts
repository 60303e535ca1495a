import t, { type Test } from "tap";
import { createEventStore } from "../../../src/redis/events.ts";
import { recordName } from "../../../src/redis/task-names.ts";
import { openOutbox } from "../../support/outbox.ts";
import { openStore } from "../../support/store.ts";
import { openSubscriber } from "../../support/webhooks.ts";
import { addJob, completed, failed, lane, openQueue, settle } from "../../support/work.ts";

/** A tenant with a webhook for the ends of jobs, and a job of one or two wallets. */
async function opened(t: Test, lanes: readonly string[] = ["apple"]) {
  const store = await openStore(t, { partitions: 1 });
  const { connection, keys } = store;
  const subscriber = openSubscriber(store);
  const { tenantId } = subscriber;
  const webhook = await subscriber.subscribe({ events: ["job.failed", "job.completed"] });
  const id = await addJob(store, { tenantId, lanes });
  const queue = await openQueue(store);
  const outbox = openOutbox(store, { compose: async (_tenantId, _kind, job) => JSON.stringify({ id: job }) });
  const eventStore = createEventStore(store);
  return {
    store,
    queue,
    take: async () => (await queue.claim([0], 10)).filter(({ kind }) => kind === "job"),
    /** Puts a wallet's part that failed back on the queue, as whoever deals with a dead letter does. */
    async reopen(wallet: string) {
      const back = { [`${wallet}:entry`]: "", [`${wallet}:state`]: "queued", status: "queued" };
      await connection.hset(keys.record(tenantId, "job", id), back);
      const member = `${recordName({ tenantId, kind: "job", id })} ${wallet}`;
      await connection.zadd(keys.ready(0, "interactive"), 0, member);
    },
    /** The ends that the tenant's history tells of, oldest first. */
    async recorded() {
      const { items } = await eventStore.list(tenantId, {}, { page: 1, pageSize: 100 });
      return items.map(({ id, type }) => ({ id, type })).reverse();
    },
    /** What the webhook is sent, oldest first. */
    async sent() {
      await outbox.fanOut(50);
      const history = await subscriber.history(webhook);
      return history.map(({ eventId, eventType }) => ({ id: eventId, type: eventType })).reverse();
    },
    deliveries: async () =>
      (await connection.zcard(keys.ready(0, "webhooks"))) +
      (await connection.xlen(keys.queue(0, "webhooks"))),
  };
}

const no = failed("provider_unavailable", { bury: true });

t.test("a job that fails, is given another try and fails again has two events, each sent once", async (t) => {
  const job = await opened(t);
  await settle(job.store, lane(await job.take(), "apple"), no);
  const first = await job.recorded();
  t.match(first, [{ type: "job.failed" }]);
  t.strictSame(await job.sent(), first);

  job.store.clock.forward(60_000);
  t.strictSame(await job.take(), [], "it does not come back by itself");
  await job.reopen("apple");
  await settle(job.store, lane(await job.take(), "apple"), no);
  const both = await job.recorded();
  t.match(both, [...first, { type: "job.failed" }]);
  t.not(both[0]?.id, both[1]?.id);
  t.strictSame(await job.sent(), both);
  t.equal(await job.deliveries(), 2);
});

t.test("a job that fails and succeeds with another try tells of both", async (t) => {
  const job = await opened(t);
  await settle(job.store, lane(await job.take(), "apple"), no);
  await job.sent();
  job.store.clock.forward(60_000);
  await job.reopen("apple");
  await settle(job.store, lane(await job.take(), "apple"), completed);
  t.match(await job.recorded(), [{ type: "job.failed" }, { type: "job.completed" }]);
  t.strictSame(await job.sent(), await job.recorded());
});

t.test("attempts that fail before the last are no end", async (t) => {
  const job = await opened(t);
  const failure = { code: "provider_unavailable", description: "away" };
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await job.queue.retryLater(lane(await job.take(), "apple"), failure, job.store.clock.nowMs());
    t.strictSame(await job.recorded(), []);
    await job.queue.promoteDue(job.store.clock.nowMs());
  }
  await settle(job.store, lane(await job.take(), "apple"), no);
  t.match(await job.recorded(), [{ type: "job.failed" }]);
  t.strictSame(await job.sent(), await job.recorded());
});

t.test("a job whose wallets all fail ends once", async (t) => {
  const job = await opened(t, ["apple", "google"]);
  for (const task of await job.take()) await settle(job.store, task, no);
  t.match(await job.recorded(), [{ type: "job.failed" }]);
  t.strictSame(await job.sent(), await job.recorded());
});
