import { randomUUID } from "node:crypto";
import t from "tap";
import { openStore } from "../../support/store.ts";
import { until } from "../../support/until.ts";
import { addJob, depth, openQueue, silence } from "../../support/work.ts";

const leaseMs = 60_000;
const tenantId = randomUUID();

t.test("work whose worker has been silent for a lease goes to the next, under a new lease", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const id = await addJob(store, { tenantId });
  const dead = await openQueue(store, { leaseMs: 50 });
  const heir = await openQueue(store, { leaseMs: 50 });
  const [lost] = await dead.claim([0], 1);
  await until("the work is reclaimed", async () => (await heir.reclaimLost()) === 1);
  const [found, ...more] = await heir.claim([0], 10);
  t.match(found, { id, lane: "apple", attempt: 2 }, "a crash uses one attempt");
  t.not(found?.lease, lost?.lease);
  t.strictSame(more, []);
  t.strictSame(await depth(store, 0), { entries: 1, pending: 1 });
});

t.test("work is left to its worker for a whole lease", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  await addJob(store, { tenantId });
  const [holder, other] = [await openQueue(store, { leaseMs }), await openQueue(store, { leaseMs })];
  const [task] = await holder.claim([0], 1);
  if (task === undefined) throw new Error("there is no work");
  await silence(store, task, leaseMs - 5000);
  t.equal(await other.reclaimLost(), 0);
  t.strictSame(await holder.renew([task]), []);
});

t.test("renewing keeps work that takes longer than a lease", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  for (let i = 0; i < 3; i++) await addJob(store, { tenantId });
  const [holder, other] = [await openQueue(store, { leaseMs }), await openQueue(store, { leaseMs })];
  const tasks = await holder.claim([0], 3);
  for (const task of tasks) await silence(store, task, leaseMs * 2);
  t.strictSame(await holder.renew(tasks.slice(0, 2)), []);
  t.equal(await other.reclaimLost(), 1);
  t.strictSame(await holder.renew(tasks), tasks.slice(2), "only what was not renewed is gone");
});

t.test("renewing spans partitions and classes, and names exactly what is lost", async (t) => {
  const store = await openStore(t, { partitions: 2 });
  const holder = await openQueue(store, { leaseMs });
  for (const workClass of ["interactive", "webhooks", "bulk"] as const) {
    for (let i = 0; i < 4; i++) await addJob(store, { tenantId: randomUUID(), workClass });
  }
  const tasks = await holder.claim([0, 1], 100);
  const lost = tasks.filter((_, index) => index % 3 === 0);
  for (const task of lost) await silence(store, task, leaseMs);
  t.equal(await holder.reclaimLost(), lost.length);
  const told = await holder.renew(tasks);
  t.strictSame(told.map(({ lease }) => lease).sort(), lost.map(({ lease }) => lease).sort());
});

t.test("lost work is found behind any number of entries that are in good hands", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  // One look of XAUTOCLAIM reaches ten times its COUNT: 1000 entries.
  await Promise.all(Array.from({ length: 1100 }, () => addJob(store, { tenantId })));
  const holder = await openQueue(store, { leaseMs });
  const tasks = await holder.claim([0], 2000);
  const last = tasks.at(-1);
  if (tasks.length !== 1100 || last === undefined) throw new Error(`${tasks.length} tasks`);
  await silence(store, last, leaseMs);
  t.equal(await holder.reclaimLost(), 1);
  t.match(await holder.claim([0], 10), [{ id: last.id, attempt: 2 }]);
});

t.test("more lost work than one look takes is reclaimed in one round", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  await Promise.all(Array.from({ length: 250 }, () => addJob(store, { tenantId })));
  const dead = await openQueue(store, { leaseMs });
  for (const task of await dead.claim([0], 250)) await silence(store, task, leaseMs);
  const heir = await openQueue(store, { leaseMs });
  t.equal(await heir.reclaimLost(), 250);
  t.strictSame(await depth(store, 0), { entries: 250, pending: 0 });
});

t.test("reclaimers at the same time reclaim each task once", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  await Promise.all(Array.from({ length: 120 }, () => addJob(store, { tenantId })));
  const dead = await openQueue(store, { leaseMs });
  for (const task of await dead.claim([0], 120)) await silence(store, task, leaseMs);
  const counts = await Promise.all(
    Array.from({ length: 4 }, async () =>
      (await openQueue(store, { leaseMs, through: await store.another() })).reclaimLost(),
    ),
  );
  t.equal(
    counts.reduce((sum, count) => sum + count, 0),
    120,
  );
  t.strictSame(await depth(store, 0), { entries: 120, pending: 0 });
});

t.test("a lost entry whose record is gone is cleaned away", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const id = await addJob(store, { tenantId });
  const queue = await openQueue(store, { leaseMs });
  const [task] = await queue.claim([0], 1);
  if (task === undefined) throw new Error("there is no work");
  await store.connection.del(store.keys.record(tenantId, "job", id));
  await silence(store, task, leaseMs);
  t.equal(await queue.reclaimLost(), 0);
  t.strictSame(await depth(store, 0), { entries: 0, pending: 0 });
});
