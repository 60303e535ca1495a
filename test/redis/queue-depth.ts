import t, { type Test } from "tap";
import type { Task, WorkClass } from "../../src/domain/jobs/work.ts";
import { createQueueDepth } from "../../src/redis/queue-depth.ts";
import { openIssuer } from "../support/issuer.ts";
import { openStore } from "../support/store.ts";
import { until } from "../support/until.ts";
import { addJob, claimOf, failed, openQueue, settle } from "../support/work.ts";

async function opened(t: Test) {
  const store = await openStore(t, { partitions: 4 });
  const read = createQueueDepth(store);
  const add = (workClass: WorkClass) => addJob(store, { tenantId: store.ids.uuid(), workClass });
  /** Of each class: ready, in hand, put off, given up. */
  const counts = async () => {
    const { classes } = await read();
    const of = (workClass: WorkClass): number[] => {
      const { ready, active, delayed, deadLetters } = classes[workClass];
      return [ready, active, delayed, deadLetters];
    };
    return { interactive: of("interactive"), webhooks: of("webhooks"), bulk: of("bulk") };
  };
  return { store, read, add, counts };
}

const none = [0, 0, 0, 0];
const nothing = { interactive: none, webhooks: none, bulk: none };

t.test("a store without a queue has nothing waiting", async (t) => {
  const { read } = await opened(t);
  const empty = { ready: 0, active: 0, delayed: 0, deadLetters: 0, oldestReadyMs: 0 };
  t.strictSame(await read(), {
    classes: { interactive: empty, webhooks: empty, bulk: empty },
    outbox: { events: 0, oldestMs: 0 },
    fullest: { waiting: 0, deadLetters: 0 },
  });
});

t.test("work is counted where it is, over all partitions: ready, in hand, put off", async (t) => {
  const { store, add, counts } = await opened(t);
  for (let i = 0; i < 10; i++) await add("interactive");
  for (let i = 0; i < 3; i++) await add("bulk");
  t.strictSame(
    await counts(),
    { ...nothing, interactive: [10, 0, 0, 0], bulk: [3, 0, 0, 0] },
    "before there is a group",
  );

  const queue = await openQueue(store);
  t.strictSame(await counts(), { ...nothing, interactive: [10, 0, 0, 0], bulk: [3, 0, 0, 0] });
  const tasks = await queue.claim([0, 1, 2, 3], 4, { classes: ["interactive"] });
  t.strictSame(await counts(), { ...nothing, interactive: [6, 4, 0, 0], bulk: [3, 0, 0, 0] });

  const [first, second] = tasks as [Task, Task];
  await queue.retryLater(first, { code: "provider_unavailable", description: "away" }, 1);
  await queue.postpone(second, 1000);
  t.strictSame(await counts(), { ...nothing, interactive: [6, 2, 2, 0], bulk: [3, 0, 0, 0] });

  await queue.promoteDue(2);
  t.strictSame(await counts(), { ...nothing, interactive: [7, 2, 1, 0], bulk: [3, 0, 0, 0] });

  await queue.handBack(tasks.slice(2));
  t.strictSame(await counts(), { ...nothing, interactive: [9, 0, 1, 0], bulk: [3, 0, 0, 0] });
});

t.test("what was given up is counted as a dead letter, and what is done not at all", async (t) => {
  const { store, counts } = await opened(t);
  const issuer = await openIssuer(store, { wallets: ["apple", "google"] });
  await issuer.create();
  const tasks = await claimOf(await openQueue(store), issuer);
  t.strictSame(await counts(), { ...nothing, interactive: [0, 2, 0, 0] });
  const [buried, refused] = tasks as [Task, Task];
  await settle(store, buried, failed("provider_unavailable", { bury: true }));
  await settle(store, refused, failed("provider_rejected"));
  t.strictSame(await counts(), { ...nothing, interactive: [0, 0, 0, 1] });
});

t.test("the oldest ready entry grows older until it is taken, and then the next one counts", async (t) => {
  const { store, read, add } = await opened(t);
  const queue = await openQueue(store);
  const ages = async () => {
    const { classes } = await read();
    return [classes.webhooks.oldestReadyMs, classes.bulk.oldestReadyMs] as const;
  };
  await add("webhooks");
  await until("the first has waited a while", async () => (await ages())[0] > 30);
  await add("webhooks");
  const [both, other] = await ages();
  t.ok(both > 30, "the second does not make it young");
  t.equal(other, 0, "another class has an age of its own");

  const taken: Task[] = [];
  for (const partition of store.keys.allPartitions) {
    if (taken.length === 0) taken.push(...(await queue.claim([partition], 1)));
  }
  const { classes } = await read();
  t.match(classes.webhooks, { ready: 1, active: 1 });
  await queue.claim(store.keys.allPartitions, 10);
  t.strictSame(await ages(), [0, 0], "what is in hand does not wait");
});

t.test("events are counted until they are fanned out", async (t) => {
  const { store, read } = await opened(t);
  const issuer = await openIssuer(store, { wallets: ["apple"] });
  await issuer.subscribe("pass.created");
  await issuer.create();
  const aged = await until("the event has an age", async () => {
    const { outbox } = await read();
    return outbox.oldestMs > 0 && outbox;
  });
  t.equal(aged.events, 1);
});

t.test("a group that was lost is no error: what is in hand still is", async (t) => {
  const { store, add, counts } = await opened(t);
  await add("bulk");
  const queue = await openQueue(store);
  await queue.claim(store.keys.allPartitions, 1);
  for (const partition of store.keys.allPartitions) {
    await store.connection.xgroup("DESTROY", store.keys.queue(partition, "bulk"), "workers");
  }
  t.strictSame(await counts(), { ...nothing, bulk: [0, 1, 0, 0] });
});

t.test("while Redis cannot be reached there is no answer, and none is made up", async (t) => {
  const store = await openStore(t);
  const parts = await store.another();
  const read = createQueueDepth(parts);
  await read();
  parts.connection.disconnect();
  await t.rejects(read(), { code: "unavailable" });
});
