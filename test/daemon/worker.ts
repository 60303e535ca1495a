import t from "tap";
import type { TaskHandler } from "../../src/daemon/consumer.ts";
import { createDeliveryStore } from "../../src/redis/deliveries.ts";
import { openIssuer, passOf } from "../support/issuer.ts";
import { openStore, type TestStore } from "../support/store.ts";
import { until } from "../support/until.ts";
import { addJob, completed, depth, openQueue, settle, silence } from "../support/work.ts";
import { employ } from "../support/worker.ts";

/** A handler that settles every pass operation as completed, and counts. */
function issuing(store: TestStore) {
  const done: string[] = [];
  const handler: TaskHandler = async (task) => {
    if (await settle(store, task, completed)) done.push(`${task.id} ${task.lane}`);
    return {};
  };
  return { handler, done };
}

/** Resolves when nothing waits and nothing is held in any partition. */
async function drained(store: TestStore): Promise<void> {
  await until("all work is done", async () => {
    const depths = await Promise.all(store.keys.allPartitions.map((partition) => depth(store, partition)));
    return depths.every(({ entries }) => entries === 0);
  });
}

t.test("workers carry out all that was accepted, before and after they started, each once", async (t) => {
  const store = await openStore(t, { partitions: 4 });
  const issuers = [await openIssuer(store), await openIssuer(store)];
  const accepted = async (count: number) =>
    (
      await Promise.all(issuers.flatMap((issuer) => Array.from({ length: count }, () => issuer.create())))
    ).map((one) => passOf(one).job_id);
  const { handler, done } = issuing(store);
  const before = await accepted(40);
  const workers = [
    await employ(t, store, { handlers: { job: handler }, concurrency: 7 }),
    await employ(t, store, { handlers: { job: handler }, concurrency: 7 }),
  ];
  const after = await accepted(40);
  await drained(store);
  await Promise.all(workers.map((worker) => worker.stop(1000)));
  const expected = [...before, ...after].flatMap((id) => [`${id} apple`, `${id} google`]);
  t.strictSame(done.sort(), expected.sort());
  for (const { tenantId, passes } of issuers) {
    t.equal((await passes.list(tenantId, { status: "active" }, { page: 1, pageSize: 1 })).total, 80);
  }
});

t.test("an accepted event reaches the handler of deliveries", async (t) => {
  const store = await openStore(t);
  const issuer = await openIssuer(store, { wallets: ["apple"] });
  const webhook = await issuer.subscribe("pass.created");
  const deliveries = createDeliveryStore(store);
  const delivered: string[] = [];
  const worker = await employ(t, store, {
    handlers: {
      job: issuing(store).handler,
      delivery: async (task) => {
        const attempt = { number: task.attempt, atMs: 0, statusCode: 200, durationMs: 1, error: null };
        await deliveries.settle(task, attempt, { delivered: true });
        delivered.push(task.record.webhook ?? "");
        return {};
      },
    },
  });
  await Promise.all(Array.from({ length: 20 }, () => issuer.create()));
  await until("all are delivered", () => delivered.length === 20);
  await worker.stop(1000);
  t.strictSame(delivered, Array(20).fill(webhook));
});

t.test("a retry is carried out when it is due, and not before", async (t) => {
  const store = await openStore(t);
  await addJob(store, { tenantId: store.ids.uuid() });
  const queue = await openQueue(store);
  const failure = { code: "provider_unavailable", description: "away" };
  let dueAtMs = 0;
  const worker = await employ(t, store, {
    handlers: {
      async job(task) {
        const at = Date.now();
        if (task.attempt > 1) return { at, settled: await settle(store, task, completed) };
        dueAtMs = at + 100;
        return { put_off: await queue.retryLater(task, failure, dueAtMs) };
      },
    },
  });
  await until("both attempts are told", () => worker.log.of("job.attempted").length === 2);
  await worker.stop(1000);
  const [first, second] = worker.log.of("job.attempted");
  t.match(first, { attempt: 1, put_off: true });
  t.match(second, { attempt: 2, settled: true });
  t.ok(Number(second?.at) >= dueAtMs);
});

t.test("a worker that stops gives back what it cannot finish, and another begins it at once", async (t) => {
  const store = await openStore(t);
  const ids = await Promise.all(
    Array.from({ length: 3 }, () => addJob(store, { tenantId: store.ids.uuid() })),
  );
  let begun = 0;
  const leaving = await employ(t, store, {
    handlers: {
      job: (_task, signal) =>
        new Promise((_, reject) => {
          begun += 1;
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        }),
    },
  });
  await until("all are in hand", () => begun === 3);
  await leaving.stop(10);
  t.equal(leaving.log.of("job.handed_back").length, 3);
  const attempts: [string, number][] = [];
  const staying = await employ(t, store, {
    handlers: {
      async job(task) {
        await settle(store, task, completed);
        attempts.push([task.id, task.attempt]);
        return {};
      },
    },
  });
  await until("all are done", () => attempts.length === 3);
  t.strictSame(
    attempts.sort(),
    ids.sort().map((id) => [id, 1]),
    "as the first attempt",
  );
  await staying.stop(1000);
});

t.test("work that takes longer than a lease stays with its worker", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  await addJob(store, { tenantId: store.ids.uuid() });
  // A worker that stands still for a whole lease has lost it; on a busy machine that is soon said.
  const leaseMs = 1500;
  const startedAt: number[] = [];
  const slow: TaskHandler = async (task, signal) => {
    startedAt.push(performance.now());
    await until("three leases have passed", () => performance.now() - (startedAt[0] ?? 0) > 3 * leaseMs);
    signal.throwIfAborted();
    return { settled: await settle(store, task, completed) };
  };
  const workers = [
    await employ(t, store, { handlers: { job: slow }, leaseMs }),
    await employ(t, store, { handlers: { job: slow }, leaseMs }),
  ];
  await drained(store);
  await Promise.all(workers.map((worker) => worker.stop(1000)));
  t.equal(startedAt.length, 1);
  t.match(
    workers.flatMap(({ log }) => log.of("job.attempted")),
    [{ settled: true, attempt: 1 }],
  );
});

t.test("a worker that lost a lease is told by the signal, and its work is done by another", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const leaseMs = 150;
  await addJob(store, { tenantId: store.ids.uuid() });
  const attempts: string[] = [];
  const worker = await employ(t, store, {
    leaseMs,
    handlers: {
      async job(task, signal) {
        if (task.attempt > 1) return { settled: await settle(store, task, completed) };
        await until("the lease is lost", async () => {
          await silence(store, task, 10 * leaseMs);
          return signal.aborted;
        });
        attempts.push(`settled: ${await settle(store, task, completed)}`);
        throw signal.reason;
      },
    },
  });
  await drained(store);
  await until("the first attempt has ended", () => worker.log.of("job.interrupted").length === 1);
  await worker.stop(1000);
  t.strictSame(attempts, ["settled: false"], "the old holder could settle nothing");
  t.match(worker.log.of("job.attempted"), [{ attempt: 2, settled: true }]);
});

t.test("what a throwing handler left comes back when its lease has run out", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  await addJob(store, { tenantId: store.ids.uuid() });
  const worker = await employ(t, store, {
    leaseMs: 100,
    handlers: {
      async job(task) {
        if (task.attempt < 3) throw new Error("the store is away");
        return { settled: await settle(store, task, completed) };
      },
    },
  });
  await drained(store);
  await until("the last attempt is told", () => worker.log.of("job.attempted").length === 1);
  await worker.stop(1000);
  t.equal(worker.log.of("job.interrupted").length, 2);
  t.match(worker.log.of("job.attempted"), [{ attempt: 3, settled: true }]);
  t.match(worker.log.of("leases.reclaimed"), [{ reclaimed: 1 }, { reclaimed: 1 }]);
});
