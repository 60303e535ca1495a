import { randomUUID } from "node:crypto";
import t, { type Test } from "tap";
import type { WorkClass } from "../../../src/domain/jobs/work.ts";
import { openStore } from "../../support/store.ts";
import { addJob, depth, openQueue } from "../../support/work.ts";

const tenantId = randomUUID();
const failure = { code: "provider_unavailable", description: "away" };

/** A store in which so many tasks wait for their retry, one millisecond after the other from `dueAtMs` on. */
async function waiting(t: Test, count: number, dueAtMs: number, workClass: WorkClass = "interactive") {
  const store = await openStore(t, { partitions: 1 });
  const added = Promise.all(Array.from({ length: count }, () => addJob(store, { tenantId, workClass })));
  const ids = await added;
  const queue = await openQueue(store);
  const tasks = await queue.claim([0], count);
  await Promise.all(tasks.map((task, index) => queue.retryLater(task, failure, dueAtMs + index)));
  return { store, queue, ids };
}

t.test("a failed attempt waits outside the stream, and the job says why", async (t) => {
  const { store, ids } = await waiting(t, 1, 5000);
  t.strictSame(await depth(store, 0), { entries: 0, pending: 0 });
  t.match(await store.connection.hgetall(store.keys.record(tenantId, "job", ids[0] ?? "")), {
    status: "retrying",
    "apple:state": "retrying",
    error: JSON.stringify(failure),
  });
});

t.test("a retry comes when it is due, not before, and once", async (t) => {
  const { queue, ids } = await waiting(t, 2, 5000, "bulk");
  t.strictSame(await queue.promoteDue(4999), { promoted: 0, nextDueAtMs: 5000 });
  t.strictSame(await queue.claim([0], 10), []);
  t.strictSame(await queue.promoteDue(5000), { promoted: 1, nextDueAtMs: 5001 });
  const again = await queue.claim([0], 10);
  t.match(again, [{ attempt: 2, workClass: "bulk" }], "in the class that it came from");
  t.equal(again.length, 1);
  t.strictSame(await queue.promoteDue(9000), { promoted: 1, nextDueAtMs: null });
  t.strictSame(await queue.promoteDue(9000), { promoted: 0, nextDueAtMs: null });
  const rest = await queue.claim([0], 10);
  t.strictSame([...again, ...rest].map(({ id }) => id).sort(), ids.sort());
});

t.test("promoters at the same time bring each retry back once", async (t) => {
  const { store, queue, ids } = await waiting(t, 200, 5000);
  const promoters = await Promise.all(
    Array.from({ length: 4 }, async () => openQueue(store, { through: await store.another() })),
  );
  const rounds = await Promise.all(promoters.map((promoter) => promoter.promoteDue(9000)));
  t.equal(
    rounds.reduce((sum, { promoted }) => sum + promoted, 0),
    200,
  );
  const tasks = await queue.claim([0], 500);
  t.strictSame(tasks.map(({ id }) => id).sort(), ids.sort());
});

t.test("more retries than one round takes are told to be due already", async (t) => {
  const { queue } = await waiting(t, 501, 5000);
  t.strictSame(await queue.promoteDue(9000), { promoted: 500, nextDueAtMs: 5500 });
  t.strictSame(await queue.promoteDue(9000), { promoted: 1, nextDueAtMs: null });
});

t.test("the next due time is the earliest of all partitions", async (t) => {
  const store = await openStore(t, { partitions: 4 });
  const queue = await openQueue(store);
  for (let i = 0; i < 8; i++) await addJob(store, { tenantId: randomUUID() });
  const tasks = await queue.claim([0, 1, 2, 3], 10);
  await Promise.all(tasks.map((task, index) => queue.retryLater(task, failure, 9000 - index)));
  t.strictSame(await queue.promoteDue(1), { promoted: 0, nextDueAtMs: 9000 - (tasks.length - 1) });
});

t.test("a retry whose record is gone is forgotten", async (t) => {
  const { store, queue, ids } = await waiting(t, 1, 5000);
  await store.connection.del(store.keys.record(tenantId, "job", ids[0] ?? ""));
  t.strictSame(await queue.promoteDue(9000), { promoted: 0, nextDueAtMs: null });
  t.strictSame(await depth(store, 0), { entries: 0, pending: 0 });
});
