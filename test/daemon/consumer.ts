import { randomUUID } from "node:crypto";
import t, { type Test } from "tap";
import { createConsumer, type TaskHandler } from "../../src/daemon/consumer.ts";
import type { Task, WorkQueue } from "../../src/domain/jobs/work.ts";
import { readableLog } from "../support/log.ts";
import { openStore } from "../support/store.ts";
import { until } from "../support/until.ts";
import { addJob, completed, depth, openQueue, settle } from "../support/work.ts";

/** A consumer on a real queue with so many jobs waiting. */
async function employed(
  t: Test,
  jobs: number,
  handler: (store: Awaited<ReturnType<typeof openStore>>) => TaskHandler,
  given: {
    concurrency?: number;
    wrap?: (queue: WorkQueue) => Pick<WorkQueue, "claim" | "handBack" | "postpone">;
  } = {},
) {
  const store = await openStore(t, { partitions: 1 });
  const queue = await openQueue(store);
  const tenantId = randomUUID();
  for (let i = 0; i < jobs; i++) await addJob(store, { tenantId });
  const log = readableLog();
  const handle = handler(store);
  const consumer = createConsumer({
    queue: given.wrap?.(queue) ?? queue,
    handlers: { job: handle, delivery: handle },
    concurrency: given.concurrency ?? 10,
    log,
  });
  return { store, queue, consumer, log, idle: () => until("idle", () => consumer.inHand().length === 0) };
}

/** A handler that ends when it is told to, or with its signal. */
function gate() {
  const opened = Promise.withResolvers<void>();
  const signals: AbortSignal[] = [];
  const handler: TaskHandler = (_task, signal) => {
    signals.push(signal);
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
    });
    return Promise.race([opened.promise.then(() => ({})), aborted]);
  };
  return { handler, signals, open: () => opened.resolve() };
}

t.test("a consumer takes as much as it has hands, and more when one is free", async (t) => {
  const { handler, open } = gate();
  const { consumer, log, idle } = await employed(t, 5, () => handler, { concurrency: 3 });
  t.equal(await consumer.runOnce([0]), 3);
  t.equal(consumer.inHand().length, 3);
  t.equal(await consumer.runOnce([0]), 0, "no hand is free");
  const free = consumer.mayGoOn();
  open();
  await free;
  await idle();
  t.equal(await consumer.runOnce([]), 2, "without being told that there is more");
  await idle();
  t.equal(log.of("job.attempted").length, 5);
});

t.test("each attempt is told in one line with all its facts", async (t) => {
  const begun: Task[] = [];
  const { consumer, log, idle } = await employed(t, 1, (store) => async (task) => {
    begun.push(task);
    await settle(store, task, completed);
    return { outcome: "completed" };
  });
  await consumer.runOnce([0]);
  await idle();
  const [task] = begun;
  t.match(log.lines, [
    {
      level: "info",
      event: "job.attempted",
      facts: {
        job: task?.id,
        tenant: task?.tenantId,
        lane: "apple",
        attempt: 1,
        trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
        outcome: "completed",
        ms: Number,
      },
    },
  ]);
});

t.test("a handler that throws leaves its lease to run out", async (t) => {
  const { store, consumer, log, idle } = await employed(t, 1, () => () => Promise.reject(new Error("boom")));
  await consumer.runOnce([0]);
  await idle();
  t.strictSame(await depth(store, 0), { entries: 1, pending: 1 });
  t.match(log.lines, [{ level: "warn", event: "job.interrupted", facts: { err: { message: "boom" } } }]);
});

t.test("a task whose lease was lost is abandoned, the others go on", async (t) => {
  const { handler, signals, open } = gate();
  const { consumer, store, idle, log } = await employed(t, 2, () => handler);
  await consumer.runOnce([0]);
  const [first] = consumer.inHand();
  if (first === undefined) throw new Error("there is no work");
  consumer.abandon(first);
  consumer.abandon(first);
  await until("one hand is free", () => consumer.inHand().length === 1);
  t.strictSame(
    signals.map(({ aborted }) => aborted),
    [true, false],
  );
  t.strictSame(await depth(store, 0), { entries: 2, pending: 2 }, "and nothing is handed back");
  open();
  await idle();
  t.equal(log.of("job.attempted").length, 1);
});

t.test("draining lets end what was begun and takes nothing more", async (t) => {
  const { handler, open } = gate();
  const { consumer, log, store } = await employed(t, 4, () => handler, { concurrency: 2 });
  await consumer.runOnce([0]);
  const drained = consumer.drain(20_000);
  t.equal(await consumer.runOnce([0]), 0);
  open();
  await drained;
  t.strictSame(consumer.inHand(), []);
  t.equal(log.of("job.attempted").length, 2);
  t.strictSame(await depth(store, 0), { entries: 4, pending: 2 });
});

t.test("draining gives back, uncounted, what does not end in time", async (t) => {
  const { handler } = gate();
  const { consumer, queue, store, log } = await employed(t, 2, () => handler);
  await consumer.runOnce([0]);
  await consumer.drain(10);
  t.strictSame(consumer.inHand(), []);
  t.equal(log.of("job.handed_back").length, 2);
  t.strictSame(await depth(store, 0), { entries: 2, pending: 0 });
  t.match(await queue.claim([0], 10), [{ attempt: 1 }, { attempt: 1 }]);
});

t.test("draining does not wait for ever for a handler that is deaf to its signal", async (t) => {
  const deaf = Promise.withResolvers<Record<string, unknown>>();
  t.teardown(() => deaf.resolve({}));
  const { consumer, store } = await employed(t, 1, () => () => deaf.promise);
  await consumer.runOnce([0]);
  const drained = consumer.drain(10).then(() => "drained");
  const patience = until("never", () => false, 1000).catch(() => "still draining");
  t.equal(await Promise.race([drained, patience]), "drained");
  t.strictSame(await depth(store, 0), { entries: 1, pending: 0 }, "its work is given back");
});

t.test("a claim that is under way when the draining begins leaves nothing in hand", async (t) => {
  const [asked, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { handler } = gate();
  const { consumer, store } = await employed(t, 2, () => handler, {
    wrap: (queue) => ({
      handBack: (tasks) => queue.handBack(tasks),
      postpone: (task, forMs) => queue.postpone(task, forMs),
      async claim(partitions, count) {
        const tasks = await queue.claim(partitions, count);
        asked.resolve();
        await mayAnswer.promise;
        return tasks;
      },
    }),
  });
  const round = consumer.runOnce([0]);
  await asked.promise;
  const drained = consumer.drain(10);
  mayAnswer.resolve();
  await Promise.all([round, drained]);
  t.strictSame(consumer.inHand(), []);
  t.strictSame(await depth(store, 0), { entries: 2, pending: 0 }, "it waits for another worker");
  await consumer.drain(0);
});

t.test("what was taken of one class is begun, though another could not be asked for", async (t) => {
  const away = new Error("away");
  const { handler, open } = gate();
  const { consumer, idle } = await employed(t, 2, () => handler, {
    wrap: (queue) => ({
      ...queue,
      claim: async (partitions, count, options) => {
        if (options?.classes?.includes("bulk")) throw away;
        return queue.claim(partitions, count, options);
      },
    }),
  });
  await t.rejects(consumer.runOnce([0]), away);
  await until("it is begun", () => consumer.inHand().length === 2);
  open();
  await idle();
});

t.test("a round that left something is no reason to wait, whoever still waits for a hand", async (t) => {
  const { handler, open } = gate();
  const { consumer, idle } = await employed(t, 9, () => handler, { concurrency: 3 });
  await consumer.runOnce([0]);
  const waiting = consumer.mayGoOn();
  open();
  await waiting;
  await idle();
  await consumer.runOnce([]);
  await consumer.mayGoOn();
  await idle();
  t.equal(await consumer.runOnce([]), 3);
});

t.test("a hand whose work has only to be written down begins with something else, once", async (t) => {
  const written = Promise.withResolvers<Record<string, unknown>>();
  const begun: string[] = [];
  const { consumer, idle } = await employed(
    t,
    5,
    () => async (task, _signal, concluded) => {
      begun.push(task.id);
      concluded?.();
      concluded?.();
      return written.promise;
    },
    { concurrency: 2 },
  );
  t.equal(await consumer.runOnce([0]), 2);
  await consumer.mayGoOn();
  t.equal(await consumer.runOnce([]), 2, "as many again, and not more");
  t.equal(consumer.inHand().length, 4, "their leases are renewed until it is written");
  written.resolve({});
  await idle();
  t.equal(await consumer.runOnce([]), 1);
  t.equal(begun.length, 5);
});
