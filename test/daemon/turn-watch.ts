import t from "tap";
import { createTurnWatch } from "../../src/daemon/turn-watch.ts";
import { workClasses } from "../../src/domain/jobs/work.ts";
import { openStore } from "../support/store.ts";
import { until } from "../support/until.ts";
import { employ } from "../support/worker.ts";

/** A watch of thirty seconds whose clock the test moves. */
function watched() {
  let nowMs = 1_000_000;
  const watch = createTurnWatch({ loop: "consumer", stalledAfterMs: 30_000, nowMs: () => nowMs });
  const forward = (ms: number): void => {
    nowMs += ms;
  };
  return { watch, forward };
}

t.test("a loop that turns is well; one that has not for too long is not, and says so", async (t) => {
  const { watch, forward } = watched();
  forward(29_999);
  t.strictSame(watch.health(), { healthy: true, facts: { status: "ok" } });
  watch.turned();
  forward(29_999);
  t.ok(watch.health().healthy);
  forward(12_101);
  t.strictSame(watch.health(), {
    healthy: false,
    facts: { status: "stalled", loop: "consumer", last_turn_seconds_ago: 42.1, limit_seconds: 30 },
  });
  watch.turned();
  t.ok(watch.health().healthy, "it may recover");
});

t.test("a worker that has nothing to do turns all the same", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const { watch, forward } = watched();
  await employ(t, store, { handlers: {}, watch });
  for (let round = 0; round < 3; round++) {
    forward(60_000);
    await until("it turned", () => watch.health().healthy);
  }
});

t.test("a worker whose call never comes back is alive and not well", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const { watch, forward } = watched();
  const asked = Promise.withResolvers<void>();
  const never = Promise.withResolvers<never>();
  await employ(t, store, {
    handlers: {},
    watch,
    wrap: (queue) => ({
      ...queue,
      claim: () => {
        asked.resolve();
        return never.promise;
      },
    }),
  });
  t.teardown(() => never.reject(new Error("the test is over")));
  await asked.promise;
  forward(60_000);
  t.match(watch.health(), { healthy: false, facts: { status: "stalled" } });
});

t.test("a worker whose every round fails is not well either", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const { watch, forward } = watched();
  let calls = 0;
  const broken = async (): Promise<never> => {
    calls += 1;
    throw new Error("a defect");
  };
  await employ(t, store, {
    handlers: {},
    watch,
    wrap: (queue) => ({ ...queue, claim: broken }),
  });
  forward(60_000);
  // One call for each class makes a round.
  await until("it has tried again", () => calls > 2 * workClasses.length);
  t.match(watch.health(), { healthy: false, facts: { status: "stalled", last_turn_seconds_ago: 60 } });
});

t.test("a worker that lets its work end, and takes no more, is not stalled", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const { watch, forward } = watched();
  const worker = await employ(t, store, { handlers: {}, watch });
  await worker.stop(1000);
  forward(600_000);
  t.strictSame(watch.health(), { healthy: true, facts: { status: "stopping" } });
});
