import { randomUUID } from "node:crypto";
import t, { type Test } from "tap";
import { createTurnWatch } from "../../src/daemon/turn-watch.ts";
import { type WorkClass, workClasses } from "../../src/domain/jobs/work.ts";
import { openIssuer } from "../support/issuer.ts";
import { openStore } from "../support/store.ts";
import { until } from "../support/until.ts";
import { addJob, completed, settle } from "../support/work.ts";
import { employ } from "../support/worker.ts";

/** A job of each class, and workers that do only some of them. */
async function oneOfEach(t: Test) {
  const store = await openStore(t, { partitions: 1 });
  const tenantId = randomUUID();
  for (const workClass of workClasses) await addJob(store, { tenantId, workClass });
  const done: string[] = [];
  return {
    store,
    done,
    employ: (classes: readonly WorkClass[], given: Partial<Parameters<typeof employ>[2]> = {}) =>
      employ(t, store, {
        classes,
        handlers: {
          async job(task) {
            await settle(store, task, completed);
            done.push(task.workClass);
            return {};
          },
        },
        ...given,
      }),
  };
}

t.test(
  "a worker takes the classes that it is for, and leaves the others to those that are for them",
  async (t) => {
    const at = await oneOfEach(t);
    await at.employ(["interactive", "bulk"]);
    await until("its work is done", () => at.done.length === 2);
    t.strictSame(at.done.toSorted(), ["bulk", "interactive"]);
    await at.employ(["webhooks"]);
    await until("the rest is done", () => at.done.length === 3);
    t.strictSame(at.done.at(-1), "webhooks", "by nobody but the other");
  },
);

t.test("events are fanned out by those who deliver", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const issuer = await openIssuer(store);
  await issuer.subscribe("pass.created");
  await issuer.create();
  const waiting = () => store.connection.xlen(store.keys.outbox(issuer.partition));
  let rounds = 0;
  const turned = () => {
    rounds += 1;
  };
  const idle = { job: () => new Promise<never>(() => {}), delivery: () => new Promise<never>(() => {}) };
  const watch = { turned, ending() {} };
  const provider = await employ(t, store, { classes: ["interactive", "bulk"], handlers: idle, watch });
  await until("it has gone round some times", () => rounds > 3);
  t.equal(await waiting(), 1);
  await provider.stop(0);
  await employ(t, store, { classes: ["webhooks"], handlers: idle });
  await until("the event is fanned out", async () => (await waiting()) === 0);
});

t.test("a worker that takes nothing is well as long as it hears the store", async (t) => {
  const at = await oneOfEach(t);
  let nowMs = 0;
  const watch = createTurnWatch({ loop: "consumer", stalledAfterMs: 30_000, nowMs: () => nowMs });
  await at.employ([], { watch });
  nowMs = 60_000;
  await until("it turns", () => watch.health().healthy);
  t.strictSame(at.done, []);
});
