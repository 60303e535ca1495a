import { randomUUID } from "node:crypto";
import t, { type Test } from "tap";
import { consumerGroup } from "../../../src/redis/task-names.ts";
import { keysOf, openStore } from "../../support/store.ts";
import { addJob, completed, depth, openQueue, settle } from "../../support/work.ts";

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

t.test("work in hand is settled even after its stream was deleted", async (t) => {
  const { store, queue, held, inHand, stream } = await underLoad(t);
  await store.connection.del(stream);
  t.ok(await settle(store, held, completed));
  t.match(await store.connection.hgetall(store.keys.record(tenantId, "job", inHand)), {
    status: "completed",
  });
  t.strictSame(await queue.claim([0], 10), []);
});

t.test("work in hand is put off and handed back even after its stream was deleted", async (t) => {
  const { store, queue, held, stream } = await underLoad(t);
  await store.connection.del(stream);
  await queue.handBack([held]);
  const [again] = await queue.claim([0], 1);
  t.match(again, { id: held.id, attempt: 1 });
  if (again === undefined) return;
  await store.connection.del(stream);
  t.ok(await queue.retryLater(again, failure, 4000));
  t.strictSame(await queue.promoteDue(4000), { promoted: 1, nextDueAtMs: 5000 });
});

t.test("after a stream was deleted new work and due retries are taken as before", async (t) => {
  const { store, queue, putOff, stream } = await underLoad(t);
  await store.connection.del(stream);
  const fresh = await addJob(store, { tenantId });
  t.match(await queue.claim([0], 10), [{ id: fresh, attempt: 1 }]);
  await queue.promoteDue(5000);
  t.match(await queue.claim([0], 10), [{ id: putOff, attempt: 2 }]);
});

t.test(
  "what waited in a stream that was deleted keeps its record, and nothing is made up for it",
  async (t) => {
    const { store, queue, waiting, stream } = await underLoad(t);
    await store.connection.del(stream);
    t.strictSame(await queue.claim([0], 10), []);
    t.equal(await queue.reclaimLost(), 0);
    const job = await store.connection.hgetall(store.keys.record(tenantId, "job", waiting));
    t.match(job, { status: "queued", "apple:state": "queued" }, "by which it can be found");
  },
);

t.test("a group that was lost is made again from the beginning: what waits is taken", async (t) => {
  const { store, queue, waiting, stream } = await underLoad(t);
  await store.connection.xgroup("DESTROY", stream, consumerGroup);
  const tasks = await queue.claim([0], 10);
  t.ok(tasks.some(({ id, attempt }) => id === waiting && attempt === 1));
});

t.test("work in hand when its group was lost is taken once more, and settled once", async (t) => {
  const { store, queue, held, stream } = await underLoad(t);
  await store.connection.xgroup("DESTROY", stream, consumerGroup);
  const taken = [...(await queue.claim([0], 10)), ...(await queue.claim([0], 10))];
  const heir = taken.find(({ id }) => id === held.id);
  t.match(heir, { attempt: 2 });
  if (heir === undefined) return;
  const settled = await Promise.all([settle(store, held, completed), settle(store, heir, completed)]);
  t.equal(settled.filter((held) => held).length, 1);
  t.equal((await depth(store, 0)).entries, 1, "only the other task is left");
});

t.test("work in hand when its group was lost has one holder, and the earlier one learns it", async (t) => {
  const { store, queue, held, stream } = await underLoad(t);
  await store.connection.xgroup("DESTROY", stream, consumerGroup);
  const heir = await openQueue(store);
  const taken = [...(await heir.claim([0], 10)), ...(await heir.claim([0], 10))];
  t.not(taken.find(({ id }) => id === held.id)?.lease, held.lease);
  t.strictSame(await queue.renew([held]), [held]);
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
  const id = await addJob(store, { tenantId });
  t.match(await queue.claim([0], 10), [{ id, attempt: 1 }]);
});
