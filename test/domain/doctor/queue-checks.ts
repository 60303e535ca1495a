import t, { type Test } from "tap";
import { deadLetters, oldestWork, queueRoom, workers } from "../../../src/domain/doctor/queue-checks.ts";
import { openDeadLetters } from "../../support/dead-letters.ts";
import { openExamined } from "../../support/examination.ts";
import { openStore } from "../../support/store.ts";
import { openSubscriber } from "../../support/webhooks.ts";
import { addJob, openQueue } from "../../support/work.ts";

/** A store with work in it, and what the checks see of it. */
async function opened(t: Test) {
  // As many partitions as the examination takes.
  const store = await openStore(t, { partitions: 16 });
  return { store, examined: await openExamined(t, { prefix: store.keys.prefix }) };
}

t.test("no worker is wrong, whether there was ever one or not", async (t) => {
  const { store, examined } = await opened(t);
  t.match(await workers.look(examined), [
    { status: "failed", message: /No worker has ever run/, remedy: /passwright worker/ },
  ]);
  const queue = await openQueue(store);
  await queue.reconcile(0);
  t.match(await workers.look(examined), [{ status: "ok", message: /last round/ }]);
  for (const partition of store.keys.allPartitions) {
    await store.connection.hset(store.keys.reconciled(partition), "at", Date.now() - 3_600_000);
  }
  t.match(await workers.look(examined), [{ status: "failed", message: /for (60 min|1 h)/ }]);
});

t.test("the queue is compared with its limit, by its fullest partition", async (t) => {
  const { store, examined } = await opened(t);
  const tenantId = store.ids.uuid();
  for (let i = 0; i < 4; i++) await addJob(store, { tenantId });
  const limited = (waitingLimit: number) =>
    queueRoom.look({ ...examined, policies: { ...examined.policies, waitingLimit } });
  t.match(await limited(10), [{ status: "ok", message: /^4 pieces of work waiting.*4 of 10/ }]);
  t.match(await limited(5), [{ status: "warning", remedy: /PASSWRIGHT_QUEUE_LIMIT/ }]);
  t.match(await limited(4), [{ status: "failed", message: /refused with 503/ }]);
});

t.test("dead letters are compared with theirs", async (t) => {
  const { store, examined } = await opened(t);
  const subscriber = openSubscriber(store);
  await subscriber.subscribe();
  await openDeadLetters(store).killDelivery(subscriber, [500]);
  const limited = (deadLetterLimit: number) =>
    deadLetters.look({ ...examined, policies: { ...examined.policies, deadLetterLimit } });
  t.match(await limited(10), [{ status: "ok", message: /^1 dead letter,/ }]);
  t.match(await limited(1), [{ status: "failed", remedy: /deadletter stats/ }]);
});

t.test("work that waits for too long is told with its class", async (t) => {
  const { store, examined } = await opened(t);
  t.match(await oldestWork.look(examined), [
    { status: "ok", message: "interactive none, webhooks none, bulk none, events none" },
  ]);
  const tenantId = store.ids.uuid();
  const id = await addJob(store, { tenantId });
  t.match(await oldestWork.look(examined), [{ status: "ok" }]);
  const since = `@${Date.now() - 600_000}`;
  await store.connection.hset(store.keys.record(tenantId, "job", id), "apple:entry", since);
  t.match(await oldestWork.look(examined), [
    { status: "warning", message: /interactive has waited for 10 min; 30 s should do/ },
  ]);
});
