import { randomUUID } from "node:crypto";
import t from "tap";
import { workClasses } from "../../../src/domain/jobs/work.ts";
import { openIssuer, passOf } from "../../support/issuer.ts";
import { openStore } from "../../support/store.ts";
import { addJob, claimOf, completed, depth, openQueue, settle } from "../../support/work.ts";

t.test("work is taken in the order of classes, and within a class in the order of coming", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const tenantId = randomUUID();
  const queue = await openQueue(store);
  const added: Record<string, string> = {};
  for (const name of ["bulk 1", "webhooks 1", "interactive 1", "interactive 2", "webhooks 2", "bulk 2"]) {
    const workClass = workClasses.find((known) => name.startsWith(known));
    added[await addJob(store, { tenantId, ...(workClass && { workClass }) })] = name;
  }
  const first = await queue.claim([0], 3);
  const rest = await queue.claim([0], 10);
  t.strictSame(
    [...first, ...rest].map(({ id, workClass }) => [added[id], workClass]),
    [
      ["interactive 1", "interactive"],
      ["interactive 2", "interactive"],
      ["webhooks 1", "webhooks"],
      ["webhooks 2", "webhooks"],
      ["bulk 1", "bulk"],
      ["bulk 2", "bulk"],
    ],
  );
  t.equal(first.length, 3, "no more than was asked for");
  t.strictSame(await queue.claim([0], 10), []);
});

t.test("a claim looks where it is told to, in that order", async (t) => {
  const store = await openStore(t, { partitions: 4 });
  const queue = await openQueue(store);
  const tenants = new Map<number, string>();
  while (tenants.size < 4) {
    const tenantId = randomUUID();
    tenants.set(store.keys.partitionOf(tenantId), tenantId);
  }
  for (const tenantId of tenants.values()) await addJob(store, { tenantId });
  const taken = await queue.claim([2, 0], 10);
  t.strictSame(
    taken.map(({ partition, tenantId }) => [partition, tenantId]),
    [
      [2, tenants.get(2)],
      [0, tenants.get(0)],
    ],
  );
  t.equal((await queue.claim([1, 3], 1)).length, 1);
});

t.test("what was taken of one partition is not lost when another cannot be looked into", async (t) => {
  const store = await openStore(t, { partitions: 2 });
  const { connection, keys } = store;
  const queue = await openQueue(store);
  let tenantId = randomUUID();
  while (keys.partitionOf(tenantId) !== 0) tenantId = randomUUID();
  const id = await addJob(store, { tenantId });
  await connection.set(keys.ready(1, "interactive"), "not a sorted set");
  const left = new Set<number>();
  t.match(await queue.claim([0, 1], 10, { left }), [{ id, attempt: 1 }]);
  t.strictSame([...left], [0, 1], "and both are looked into again");
  await t.rejects(queue.claim([0, 1], 10), "where nothing was taken, it is told");
});

t.test("a claim may be for some classes only, and what waits in others stays", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const queue = await openQueue(store);
  for (const workClass of workClasses) await addJob(store, { tenantId: randomUUID(), workClass });
  const classes = async (...wanted: (typeof workClasses)[number][]) =>
    (await queue.claim([0], 10, { classes: wanted })).map(({ workClass }) => workClass);
  t.strictSame(await classes("bulk"), ["bulk"]);
  t.strictSame(await classes("webhooks", "bulk"), ["webhooks"]);
  t.strictSame(await classes("webhooks", "bulk"), []);
  t.strictSame(await depth(store, 0), { entries: 3, pending: 2 });
});

t.test("a task tells what is to be done, and which attempt this is", async (t) => {
  const store = await openStore(t);
  const issuer = await openIssuer(store, { wallets: ["google"] });
  const { id, job_id } = passOf(await issuer.create());
  store.clock.forward(1000);
  const queue = await openQueue(store);
  const [task] = await claimOf(queue, issuer);
  t.match(task, {
    partition: issuer.partition,
    workClass: "interactive",
    tenantId: issuer.tenantId,
    kind: "job",
    id: job_id,
    lane: "google",
    attempt: 1,
    record: { type: "pass.create", resource_id: id, revision: "1", status: "queued" },
  });
  const job = await store.connection.hgetall(store.keys.record(issuer.tenantId, "job", job_id));
  t.match(job, {
    status: "running",
    "google:attempts": "1",
    "google:state": "running",
    started_at: String(store.clock.nowMs()),
  });
});

t.test("workers that claim at the same time never hold the same work", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const tenantId = randomUUID();
  const added = await Promise.all(Array.from({ length: 150 }, () => addJob(store, { tenantId })));
  const workers = await Promise.all(
    Array.from({ length: 3 }, async () => openQueue(store, { through: await store.another() })),
  );
  const held = await Promise.all(
    workers.map(async (queue) => {
      const tasks = [];
      for (;;) {
        const taken = await queue.claim([0], 7);
        if (taken.length === 0) return tasks;
        tasks.push(...taken);
      }
    }),
  );
  const tasks = held.flat();
  t.strictSame(tasks.map(({ id }) => id).sort(), added.sort());
  t.equal(new Set(tasks.map(({ lease }) => lease)).size, 150);
  t.ok(
    tasks.every(({ attempt }) => attempt === 1),
    "each attempt is the first",
  );
});

t.test("what is settled leaves no entry behind, neither waiting nor pending", async (t) => {
  const store = await openStore(t);
  const issuer = await openIssuer(store);
  for (let i = 0; i < 20; i++) await issuer.create();
  const queue = await openQueue(store);
  const tasks = await claimOf(queue, issuer);
  t.strictSame(await depth(store, issuer.partition), { entries: 40, pending: 40 });
  await Promise.all(tasks.map((task) => settle(store, task, completed)));
  t.strictSame(await depth(store, issuer.partition), { entries: 0, pending: 0 });
});

t.test("entries whose record is gone are cleaned away, and what waits behind them is taken", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const tenantId = randomUUID();
  const queue = await openQueue(store);
  for (let i = 0; i < 3; i++) {
    await store.connection.del(store.keys.record(tenantId, "job", await addJob(store, { tenantId })));
  }
  const alive = await addJob(store, { tenantId });
  t.strictSame(
    (await queue.claim([0], 4)).map(({ id }) => id),
    [alive],
  );
  t.strictSame(await depth(store, 0), { entries: 1, pending: 1 });
});

t.test("a claim for one task finds it behind entries that came to nothing", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const tenantId = randomUUID();
  const queue = await openQueue(store);
  await store.connection.del(store.keys.record(tenantId, "job", await addJob(store, { tenantId })));
  const alive = await addJob(store, { tenantId });
  t.strictSame(
    (await queue.claim([0], 1)).map(({ id }) => id),
    [alive],
  );
});

t.test("an entry that is nobody's lease is nobody's work", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const tenantId = randomUUID();
  const queue = await openQueue(store);
  const id = await addJob(store, { tenantId });
  const stream = store.keys.queue(0, "interactive");
  await store.connection.xadd(stream, "*", "r", `${tenantId}:job:${id}`, "l", "apple");
  const tasks = await queue.claim([0], 10);
  t.match(tasks, [{ id, attempt: 1 }]);
  t.strictSame(
    await depth(store, 0),
    { entries: 2, pending: 2 },
    "it is cleaned away when its lease is over",
  );
});
