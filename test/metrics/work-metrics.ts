import t, { type Test } from "tap";
import { createConsumer, type TaskHandler } from "../../src/daemon/consumer.ts";
import { createWorkMetrics } from "../../src/metrics/work-metrics.ts";
import { readableLog } from "../support/log.ts";
import { openStore } from "../support/store.ts";
import { until } from "../support/until.ts";
import { addJob, openQueue, silence } from "../support/work.ts";
import { employ } from "../support/worker.ts";

/** A consumer on a real queue whose work was accepted ten seconds ago, and what its metrics say. */
async function observed(t: Test, handler: TaskHandler) {
  const store = await openStore(t, { partitions: 1 });
  const queue = await openQueue(store);
  const metrics = createWorkMetrics({ nowMs: () => store.clock.nowMs(), sinceTurnMs: () => 1500 });
  const handlers = { job: handler, delivery: handler };
  const consumer = createConsumer({
    queue,
    handlers,
    concurrency: 10,
    log: readableLog(),
    observer: metrics,
  });
  const tenantId = store.ids.uuid();
  const accept = async () => {
    await addJob(store, { tenantId });
    store.clock.forward(10_000);
  };
  const idle = () => until("idle", () => consumer.inHand().length === 0);
  const says = async (sample: string) => (await metrics.text()).split("\n").includes(sample);
  return { store, queue, consumer, accept, idle, says, metrics };
}

const outcomes = (outcome: string): TaskHandler => {
  return async () => ({ outcome });
};

t.test("an attempt is counted by kind and outcome; work is timed from its acceptance", async (t) => {
  const { consumer, accept, idle, says } = await observed(t, outcomes("completed"));
  await accept();
  await consumer.runOnce([0]);
  await idle();
  t.ok(await says('passwright_work_attempts_total{kind="job",outcome="completed"} 1'));
  for (const phase of ["start", "done"]) {
    t.ok(await says(`passwright_work_${phase}_seconds_sum{class="interactive"} 10`), phase);
    t.ok(await says(`passwright_work_${phase}_seconds_bucket{le="5",class="interactive"} 0`), phase);
    t.ok(await says(`passwright_work_${phase}_seconds_bucket{le="10",class="interactive"} 1`), phase);
  }
  t.ok(await says('passwright_work_leases_lost_total{kind="job"} 0'));
});

t.test("an attempt that will be made again has begun and is not done", async (t) => {
  const { consumer, accept, idle, says } = await observed(t, outcomes("retrying"));
  await accept();
  await consumer.runOnce([0]);
  await idle();
  t.ok(await says('passwright_work_attempts_total{kind="job",outcome="retrying"} 1'));
  t.ok(await says('passwright_work_start_seconds_count{class="interactive"} 1'));
  t.notOk(await says('passwright_work_done_seconds_count{class="interactive"} 1'));
});

t.test("what is in hand is seen while it is", async (t) => {
  const opened = Promise.withResolvers<Record<string, unknown>>();
  const { consumer, accept, idle, says } = await observed(t, () => opened.promise);
  t.ok(await says('passwright_work_in_hand{class="interactive"} 0'));
  await accept();
  await accept();
  await consumer.runOnce([0]);
  t.ok(await says('passwright_work_in_hand{class="interactive"} 2'));
  opened.resolve({ outcome: "completed" });
  await idle();
  t.ok(await says('passwright_work_in_hand{class="interactive"} 0'));
});

t.test("a lost lease is counted once, whether the attempt notices at its end or is abandoned", async (t) => {
  const noticed = await observed(t, outcomes("lost"));
  await noticed.accept();
  await noticed.consumer.runOnce([0]);
  await noticed.idle();
  t.ok(await noticed.says('passwright_work_leases_lost_total{kind="job"} 1'));

  const abandoned = await observed(
    t,
    (_task, signal) =>
      new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
      ),
  );
  await abandoned.accept();
  await abandoned.consumer.runOnce([0]);
  for (const task of abandoned.consumer.inHand()) abandoned.consumer.abandon(task);
  await abandoned.idle();
  t.ok(await abandoned.says('passwright_work_leases_lost_total{kind="job"} 1'));
  t.ok(await abandoned.says('passwright_work_attempts_total{kind="job",outcome="lost"} 1'));
});

t.test("an attempt that broke is interrupted, one that a stop ended is handed back", async (t) => {
  const broken = await observed(t, async () => {
    throw new Error("a defect");
  });
  await broken.accept();
  await broken.consumer.runOnce([0]);
  await broken.idle();
  t.ok(await broken.says('passwright_work_attempts_total{kind="job",outcome="interrupted"} 1'));

  const stopped = await observed(
    t,
    (_task, signal) =>
      new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
      ),
  );
  await stopped.accept();
  await stopped.consumer.runOnce([0]);
  await stopped.consumer.drain(0);
  t.ok(await stopped.says('passwright_work_attempts_total{kind="job",outcome="handed_back"} 1'));
});

t.test("leases that a worker puts back are counted", async (t) => {
  const { store, queue, accept, metrics, says } = await observed(t, outcomes("completed"));
  await accept();
  const [task] = await queue.claim([0], 1);
  if (task === undefined) throw new Error("there is no work");
  await silence(store, task, 3_600_000);
  await employ(t, store, { handlers: { job: outcomes("completed") }, observer: metrics });
  await until("it was put back", () => says("passwright_work_leases_reclaimed_total 1"));
});

t.test("a clock that is behind the one of acceptance makes no negative times", async (t) => {
  const { store, consumer, accept, idle, says } = await observed(t, outcomes("completed"));
  await accept();
  store.clock.forward(-20_000);
  await consumer.runOnce([0]);
  await idle();
  t.ok(await says('passwright_work_start_seconds_sum{class="interactive"} 0'));
});

t.test("it tells when the loop last turned, and how late the event loop is", async (t) => {
  const { metrics, says } = await observed(t, outcomes("completed"));
  t.ok(await says("passwright_worker_turn_age_seconds 1.5"));
  t.match(await metrics.text(), /^passwright_nodejs_eventloop_lag_p99_seconds /m);
});
