import { randomUUID } from "node:crypto";
import t, { type Test } from "tap";
import { consumerGroup } from "../../../src/redis/task-names.ts";
import { keysOf, openStore } from "../../support/store.ts";
import { addJob, completed, openQueue, settle, silence } from "../../support/work.ts";

const tenantId = randomUUID();
const failure = { code: "provider_unavailable", description: "away" };

/** One task in hand, one that waits, and one put off, on a stream that is about to vanish. */
async function underLoad(t: Test) {
  const store = await openStore(t, { partitions: 1 });
  const queue = await openQueue(store);
  const [inHand, putOff, waiting] = [
    await addJob(store, { tenantId }),
    await addJob(store, { tenantId }),
    await addJob(store, { tenantId }),
  ];
  const [held, failing] = await queue.claim([0], 2);
  if (held === undefined || failing === undefined) throw new Error("there is no work");
  await queue.retryLater(failing, failure, 5000);
  return { store, queue, inHand, putOff, waiting, held, stream: store.keys.queue(0, "interactive") };
}

t.test(
  "work in hand is settled even after its stream was deleted, and what waited is still there",
  async (t) => {
    const { store, queue, held, inHand, waiting, stream } = await underLoad(t);
    await store.connection.del(stream);
    t.ok(await settle(store, held, completed));
    t.match(await store.connection.hgetall(store.keys.record(tenantId, "job", inHand)), {
      status: "completed",
    });
    t.match(await queue.claim([0], 10), [{ id: waiting, attempt: 1 }]);
  },
);

t.test("work in hand is put off and handed back even after its stream was deleted", async (t) => {
  const { store, queue, held, stream } = await underLoad(t);
  await store.connection.del(stream);
  await queue.handBack([held]);
  const [again] = await queue.claim([0], 1);
  t.match(again, { id: held.id, attempt: 1 }, "ahead of what nobody has taken yet");
  if (again === undefined) return;
  await store.connection.del(stream);
  t.ok(await queue.retryLater(again, failure, 4000));
  t.strictSame(await queue.promoteDue(4000), { promoted: 1, nextDueAtMs: 5000 });
});

t.test("after a stream was deleted new work and due retries are taken as before", async (t) => {
  const { store, queue, putOff, waiting, stream } = await underLoad(t);
  await store.connection.del(stream);
  const fresh = await addJob(store, { tenantId });
  t.match(await queue.claim([0], 10), [
    { id: waiting, attempt: 1 },
    { id: fresh, attempt: 1 },
  ]);
  await queue.promoteDue(5000);
  t.match(await queue.claim([0], 10), [{ id: putOff, attempt: 2 }]);
});

t.test("work in hand when its group was lost stays in the same hands", async (t) => {
  const { store, queue, held, stream } = await underLoad(t);
  await store.connection.xgroup("DESTROY", stream, consumerGroup);
  t.strictSame(await queue.renew([held]), [], "before there is a group again");
  const heir = await openQueue(store);
  t.strictSame(
    (await heir.claim([0], 10)).map(({ id }) => id).includes(held.id),
    false,
    "nobody else is given it",
  );
  t.strictSame(await queue.renew([held]), []);
  t.equal(await queue.reclaimLost(), 0);
  t.ok(await settle(store, held, completed));
});

t.test("work that a dead worker held when its group was lost is found after a lease", async (t) => {
  const { store, held, stream } = await underLoad(t);
  await store.connection.xgroup("DESTROY", stream, consumerGroup);
  const heir = await openQueue(store);
  await heir.claim([0], 10);
  await silence(store, held, 60_000);
  t.equal(await heir.reclaimLost(), 1);
  t.match(await heir.claim([0], 10), [{ id: held.id, attempt: 2 }]);
});

t.test("a class whose stream is gone does not swallow what another class holds ready", async (t) => {
  for (const gone of ["webhooks", "bulk"] as const) {
    const store = await openStore(t, { partitions: 1 });
    const queue = await openQueue(store);
    const id = await addJob(store, { tenantId });
    await store.connection.del(store.keys.queue(0, gone));
    t.match(await queue.claim([0], 10), [{ id, attempt: 1 }], `without the stream of ${gone}`);
  }
});

t.test("a store that was emptied under a worker is worked on as a fresh one", async (t) => {
  const { store, queue, held } = await underLoad(t);
  for (const key of await keysOf(store)) await store.connection.del(key);
  t.equal(await settle(store, held, completed), false);
  t.strictSame(await queue.renew([held]), [held]);
  t.strictSame(await queue.promoteDue(9000), { promoted: 0, nextDueAtMs: null });
  t.equal(await queue.reclaimLost(), 0);
  t.equal(await queue.reconcile(0), 0);
  const id = await addJob(store, { tenantId });
  t.match(await queue.claim([0], 10), [{ id, attempt: 1 }]);
});

t.test("an entry that is pending for nobody is taken away, unless its record knows it", async (t) => {
  const { store, queue, held, stream } = await underLoad(t);
  const { connection } = store;
  const half = await connection.xadd(stream, "*", "r", `${tenantId}:job:${randomUUID()}`, "l", "apple");
  await connection.xgroup("SETID", stream, consumerGroup, half ?? "");
  await connection.xack(stream, consumerGroup, held.lease);
  t.equal(await queue.reclaimLost(), 0);
  t.strictSame(
    (await connection.xrange(stream, "-", "+")).map(([id]) => id),
    [held.lease],
  );
});
