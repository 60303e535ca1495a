import { randomUUID } from "node:crypto";
import { setTimeout as answerWithin } from "node:timers/promises";
import t from "tap";
import { openStore } from "../support/store.ts";
import { until } from "../support/until.ts";
import { addJob, completed, depth, settle } from "../support/work.ts";
import { employ } from "../support/worker.ts";

t.test("receivers that hang keep no hand from other work", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const tenantId = randomUUID();
  await Promise.all(Array.from({ length: 60 }, () => addJob(store, { tenantId, workClass: "webhooks" })));
  let hanging = 0;
  const done: string[] = [];
  const worker = await employ(t, store, {
    concurrency: 2,
    handlers: {
      async job(task, signal) {
        if (task.workClass === "webhooks") {
          hanging += 1;
          await new Promise((_, reject) => signal.addEventListener("abort", reject, { once: true }));
        }
        await settle(store, task, completed);
        done.push(task.workClass);
        return {};
      },
    },
  });
  await until("receivers hang", () => hanging > 0);
  // Again and again, as the hands of deliveries fill up meanwhile.
  for (let round = 1; round <= 5; round++) {
    await addJob(store, { tenantId });
    await addJob(store, { tenantId, workClass: "bulk" });
    await until("other work is done", () => done.length === 2 * round, 5000);
  }
  t.ok(hanging < 60, "though more deliveries wait than there are hands for");
  await worker.stop(10);
  t.strictSame(await depth(store, 0), { entries: 60, pending: 0 }, "and what hung is given back");
});

t.test("receivers that hang keep no hand from those that answer", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const { connection, keys } = store;
  const tenantId = randomUUID();
  const deliver = (webhook: string) => addJob(store, { tenantId, workClass: "webhooks", webhook });
  for (let i = 0; i < 200; i++) await deliver("hangs");
  let hanging = 0;
  let answered = 0;
  await employ(t, store, {
    concurrency: 4,
    handlers: {
      async job(task, signal) {
        if (task.record.webhook !== "answers") {
          hanging += 1;
          await new Promise((_, reject) => signal.addEventListener("abort", reject, { once: true }));
        }
        await settle(store, task, completed);
        answered += 1;
        return {};
      },
    },
  });
  const putOff = () => connection.zcard(keys.delayed(0, "webhooks"));
  await until("those that hang have their share of the hands", async () => (await putOff()) > 0);
  const before = hanging;
  for (let round = 1; round <= 5; round++) {
    await deliver("answers");
    await until("the other is delivered to", () => answered === round, 5000);
  }
  await until("nothing more is begun", async () => (await putOff()) === 200 - hanging);
  t.ok(hanging < 40 && hanging <= before + 1, `${hanging} hands of 40 hang`);
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

t.test("a tenant whose work hangs keeps no hand from other tenants, in any class", async (t) => {
  for (const workClass of ["interactive", "bulk"] as const) {
    const store = await openStore(t, { partitions: 1 });
    const [hangs, works] = [randomUUID(), randomUUID()];
    for (let i = 0; i < 60; i++) await addJob(store, { tenantId: hangs, workClass });
    let hanging = 0;
    let done = 0;
    const worker = await employ(t, store, {
      concurrency: 8,
      handlers: {
        async job(task, signal) {
          if (task.tenantId === hangs) {
            hanging += 1;
            await new Promise((_, reject) => signal.addEventListener("abort", reject, { once: true }));
          }
          await settle(store, task, completed);
          done += 1;
          return {};
        },
      },
    });
    await until("its work hangs", () => hanging > 0);
    for (let round = 1; round <= 5; round++) {
      await addJob(store, { tenantId: works, workClass });
      await until(`the other's ${workClass} work is done`, () => done === round, 5000);
    }
    t.ok(hanging <= 8, `${hanging} of 60 hang: it has no more than the hands that anybody has`);
    await worker.stop(10);
  }
});
