import { randomUUID } from "node:crypto";
import { setTimeout as answerWithin } from "node:timers/promises";
import t from "tap";
import { createConsumer } from "../../src/daemon/consumer.ts";
import { readableLog } from "../support/log.ts";
import { openStore } from "../support/store.ts";
import { until } from "../support/until.ts";
import { addJob, completed, depth, openQueue, settle } from "../support/work.ts";
import { employ } from "../support/worker.ts";

t.test("deliveries get no more than half of the hands, however many wait", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const tenantId = randomUUID();
  for (let i = 0; i < 20; i++) await addJob(store, { tenantId, workClass: "webhooks" });
  const hanging = Promise.withResolvers<Record<string, unknown>>();
  const consumer = createConsumer({
    queue: await openQueue(store),
    handlers: { job: () => hanging.promise, delivery: () => hanging.promise },
    concurrency: 4,
    log: readableLog(),
  });
  for (let round = 0; round < 3; round++) await consumer.runOnce([0]);
  t.equal(consumer.inHand().length, 2);
  await addJob(store, { tenantId });
  await addJob(store, { tenantId, workClass: "bulk" });
  await consumer.runOnce([0]);
  t.strictSame(
    consumer.inHand().map(({ workClass }) => workClass),
    ["webhooks", "webhooks", "interactive", "bulk"],
  );
  hanging.resolve({});
  await consumer.drain(1000);
});

t.test("deliveries that end quickly flow as fast as hands are free", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const tenantId = randomUUID();
  await Promise.all(Array.from({ length: 200 }, () => addJob(store, { tenantId, workClass: "webhooks" })));
  const worker = await employ(t, store, {
    concurrency: 4,
    handlers: {
      async job(task) {
        // Receivers answer at different speeds, so hands become free one by one.
        await answerWithin(5 + (Number.parseInt(task.id.slice(-2), 16) % 4) * 5);
        return { settled: await settle(store, task, completed) };
      },
    },
  });
  // A worker that looks again only once a second would need more than a minute.
  await until("all are done", async () => (await depth(store, 0)).entries === 0, 10_000);
  await worker.stop(1000);
  t.equal(worker.log.of("job.attempted").length, 200);
});
