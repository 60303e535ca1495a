import { randomUUID } from "node:crypto";
import t, { type Test } from "tap";
import { recordName } from "../../../src/redis/task-names.ts";
import { openIssuer } from "../../support/issuer.ts";
import { openStore } from "../../support/store.ts";
import { until } from "../../support/until.ts";
import { addJob, claimOf, completed, depth, openQueue, settle } from "../../support/work.ts";

const tenantId = randomUUID();
const failure = { code: "provider_unavailable", description: "away" };

/** Without a lease nothing has to be waited for. */
async function opened(t: Test, leaseMs = 0) {
  const store = await openStore(t, { partitions: 1 });
  const queue = await openQueue(store, { leaseMs });
  const { keys } = store;
  return { store, queue, keys, stream: keys.queue(0, "interactive"), ready: keys.ready(0, "interactive") };
}

t.test("work that waited in a set that was deleted waits again", async (t) => {
  const { store, queue, ready, keys } = await opened(t);
  const ids = [
    await addJob(store, { tenantId }),
    await addJob(store, { tenantId, lanes: ["apple", "google"] }),
  ];
  await store.connection.del(ready, keys.turns(0, "interactive"));
  t.strictSame(await queue.claim([0], 10), []);
  t.equal(await queue.reconcile(0), 3);
  const tasks = await queue.claim([0], 10);
  t.strictSame(new Set(tasks.map(({ id }) => id)), new Set(ids));
  t.strictSame(
    tasks.map(({ attempt }) => attempt),
    [1, 1, 1],
  );
});

t.test("a retry that was lost is tried now", async (t) => {
  const { store, queue, keys } = await opened(t);
  const id = await addJob(store, { tenantId });
  const [task] = await queue.claim([0], 1);
  if (task === undefined) throw new Error("there is no work");
  await queue.retryLater(task, failure, 60_000);
  t.equal(await queue.reconcile(0), 0, "one that is put off is where it belongs");
  await store.connection.zrem(keys.delayed(0, "interactive"), `${recordName(task)} ${task.lane}`);
  t.equal(await queue.reconcile(0), 1);
  t.match(await queue.claim([0], 10), [{ id, attempt: 2 }]);
});

t.test(
  "what a dead worker held in a stream that was deleted is given to another after a lease",
  async (t) => {
    const { store, queue, stream } = await opened(t);
    const id = await addJob(store, { tenantId });
    const [held] = await queue.claim([0], 1);
    if (held === undefined) throw new Error("there is no work");
    t.equal(await queue.reconcile(0), 0, "what is in hand is where it belongs");
    await store.connection.del(stream);
    await until("it is found", async () => (await queue.reconcile(0)) === 1);
    t.match(await queue.claim([0], 10), [{ id, attempt: 2 }]);
    t.notOk(await settle(store, held, completed), "the earlier lease is no good any more");
  },
);

t.test("what a living worker holds stays its own, though the stream was deleted", async (t) => {
  const { store, stream } = await opened(t);
  const leaseMs = 300;
  const holder = await openQueue(store, { leaseMs });
  await addJob(store, { tenantId });
  const [held] = await holder.claim([0], 1);
  if (held === undefined) throw new Error("there is no work");
  await store.connection.del(stream);
  const begunAt = performance.now();
  await until("three leases are over", async () => {
    t.strictSame(await holder.renew([held]), []);
    t.equal(await holder.reconcile(0), 0);
    return performance.now() - begunAt > 3 * leaseMs + 1000;
  });
  t.ok(await settle(store, held, completed));
});

t.test("what has only just come is left alone", async (t) => {
  const { store, queue, ready } = await opened(t, 60_000);
  await addJob(store, { tenantId });
  await store.connection.del(ready);
  t.equal(await queue.reconcile(0), 0);
});

t.test("of several workers one looks in each interval", async (t) => {
  const { store, queue, ready } = await opened(t);
  await addJob(store, { tenantId });
  await queue.reconcile(60_000);
  await store.connection.del(ready);
  t.equal(await (await openQueue(store, { leaseMs: 0 })).reconcile(60_000), 0);
  t.equal(await queue.reconcile(0), 1);
});

t.test("any number of records are gone through, a stretch at a time", async (t) => {
  const { store, queue, ready } = await opened(t);
  for (let i = 0; i < 250; i++) await addJob(store, { tenantId });
  await store.connection.del(ready);
  const found = [await queue.reconcile(0), await queue.reconcile(0), await queue.reconcile(0)];
  t.strictSame(found, [100, 100, 50]);
  t.equal((await queue.claim([0], 1000)).length, 250);
});

t.test("a record that is finished, or gone, is open no longer", async (t) => {
  const { store, queue, keys } = await opened(t);
  const issuer = await openIssuer(store, { wallets: ["apple", "google"] });
  await issuer.create();
  t.equal(await store.connection.zcard(keys.openRecords(0)), 1);
  for (const task of await claimOf(queue, issuer)) await settle(store, task, completed);
  t.equal(await store.connection.zcard(keys.openRecords(0)), 0);

  const id = await addJob(store, { tenantId });
  await store.connection.del(keys.record(tenantId, "job", id));
  t.equal(await queue.reconcile(0), 0);
  t.equal(await store.connection.zcard(keys.openRecords(0)), 0);
});

t.test("names of workers that are long gone are dropped, unless they hold something", async (t) => {
  const { store, queue, stream } = await opened(t);
  await addJob(store, { tenantId });
  const [held] = await queue.claim([0], 1);
  await store.connection.xgroup("CREATECONSUMER", stream, "workers", "idle");
  t.equal(
    await store.run("forget-consumers", [stream], ["workers", 60_000]),
    0,
    "nobody is silent for so long",
  );
  t.equal(await store.run("forget-consumers", [stream], ["workers", 0]), 1);
  t.ok(held !== undefined && (await settle(store, held, completed)));
  t.equal(await store.run("forget-consumers", [stream], ["workers", 0]), 1);
  t.strictSame(await depth(store, 0), { entries: 0, pending: 0 });
  await addJob(store, { tenantId });
  t.equal((await queue.claim([0], 1)).length, 1, "a name that is needed comes back");
});
