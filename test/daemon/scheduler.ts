import t, { type Test } from "tap";
import { createScheduler, type ScheduledTask } from "../../src/daemon/scheduler.ts";
import { createTurns } from "../../src/redis/turns.ts";
import { openStore, type TestStore } from "../support/store.ts";
import { until } from "../support/until.ts";

type Line = { level: string; event: string; facts: Record<string, unknown> };

/** A log that remembers. */
function remembering() {
  const lines: Line[] = [];
  const at = (level: string) => (facts: Record<string, unknown>, event: string) => {
    lines.push({ level, event, facts });
  };
  return { lines, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** A task that waits until it is told to end. */
function longTask(name = "long") {
  const begun = { times: 0, aborted: false };
  let end = Promise.withResolvers<void>();
  const task: ScheduledTask = {
    name,
    cron: "* * * * *",
    async run(signal) {
      begun.times += 1;
      signal.addEventListener("abort", () => {
        begun.aborted = true;
        end.resolve();
      });
      await end.promise;
      return { done: 1 };
    },
  };
  return {
    task,
    begun,
    finish() {
      end.resolve();
      end = Promise.withResolvers();
    },
  };
}

/** A scheduler as another process has it, stopped with the test. */
async function openScheduler(t: Test, store: TestStore, tasks: readonly ScheduledTask[] = []) {
  const log = remembering();
  const scheduler = createScheduler({ tasks, turns: createTurns(await store.another(), store.clock), log });
  t.teardown(() => scheduler.stop(1000));
  return { ...scheduler, lines: log.lines };
}

const dueAtMs = Date.parse("2026-11-21T07:00:00.000Z");

t.test("each due run is done by one of all workers", async (t) => {
  const store = await openStore(t);
  const workers = await Promise.all(Array.from({ length: 4 }, () => openScheduler(t, store)));
  let runs = 0;
  const task = { name: "count", cron: "* * * * *", run: async () => ({ runs: ++runs }) };
  for (const minute of [0, 1, 2]) {
    const outcomes = await Promise.all(
      workers.map((worker) => worker.runOnce(task, dueAtMs + minute * 60_000)),
    );
    t.strictSame(outcomes.toSorted(), ["ran", "taken", "taken", "taken"]);
  }
  t.equal(runs, 3);
});

t.test("a run that lasts is not begun a second time, here or in another worker", async (t) => {
  const store = await openStore(t);
  const [here, there] = [await openScheduler(t, store), await openScheduler(t, store)];
  const { task, begun, finish } = longTask();
  const first = here.runOnce(task, dueAtMs);
  await until("it has begun", () => begun.times === 1);
  t.equal(await here.runOnce(task, dueAtMs + 60_000), "busy");
  t.equal(await there.runOnce(task, dueAtMs + 60_000), "taken");
  finish();
  t.equal(await first, "ran");
  const second = there.runOnce(task, dueAtMs + 120_000);
  await until("the next has begun", () => begun.times === 2);
  finish();
  t.equal(await second, "ran");
});

t.test("what was done is logged with its facts, and doing nothing is not news", async (t) => {
  const store = await openStore(t);
  const { runOnce, lines } = await openScheduler(t, store);
  await runOnce({ name: "a", cron: "* * * * *", run: async () => ({ removed: 2, rotated: 0 }) }, dueAtMs);
  await runOnce({ name: "b", cron: "* * * * *", run: async () => ({ removed: 0 }) }, dueAtMs);
  t.match(lines, [
    { level: "info", event: "task.finished", facts: { task: "a", removed: 2, rotated: 0, ms: Number } },
    { level: "debug", event: "task.finished", facts: { task: "b", removed: 0 } },
  ]);
});

t.test("a task that fails is logged, and runs again when it is next due", async (t) => {
  const store = await openStore(t);
  const { runOnce, lines } = await openScheduler(t, store);
  let runs = 0;
  const task: ScheduledTask = {
    name: "frail",
    cron: "* * * * *",
    async run() {
      runs += 1;
      if (runs === 1) throw new Error("out of luck");
      return { runs };
    },
  };
  t.equal(await runOnce(task, dueAtMs), "failed");
  t.match(lines[0], {
    level: "warn",
    event: "task.failed",
    facts: { task: "frail", err: { message: "out of luck" } },
  });
  t.equal(await runOnce(task, dueAtMs + 60_000), "ran");
});

t.test("with Redis away nothing is run, and nothing is thrown", async (t) => {
  const store = await openStore(t);
  const parts = await store.another();
  const log = remembering();
  const scheduler = createScheduler({ tasks: [], turns: createTurns(parts, store.clock), log });
  parts.connection.disconnect();
  const task = { name: "count", cron: "* * * * *", run: async () => t.fail("it ran") && {} };
  t.equal(await scheduler.runOnce(task as ScheduledTask, dueAtMs), "failed");
  t.match(log.lines, [{ event: "task.failed", facts: { err: { code: "unavailable" } } }]);
});

t.test("stopping tells what runs to end, waits for it, and begins nothing more", async (t) => {
  const store = await openStore(t);
  const scheduler = await openScheduler(t, store);
  const { task, begun } = longTask();
  const running = scheduler.runOnce(task, dueAtMs);
  await until("it has begun", () => begun.times === 1);
  await scheduler.stop(10_000);
  t.ok(begun.aborted);
  t.equal(await running, "ran");
  t.equal(await scheduler.runOnce(task, dueAtMs + 60_000), "busy");
  t.equal(begun.times, 1);
});

t.test("a task that does not listen holds the stop up for the given time only", async (t) => {
  const store = await openStore(t);
  const scheduler = await openScheduler(t, store);
  const never = Promise.withResolvers<Record<string, number>>();
  let begun = false;
  const task: ScheduledTask = {
    name: "deaf",
    cron: "* * * * *",
    run: () => {
      begun = true;
      return never.promise;
    },
  };
  const running = scheduler.runOnce(task, dueAtMs);
  await until("it has begun", () => begun);
  await scheduler.stop(1);
  never.resolve({});
  t.equal(await running, "ran");
});

t.test("started, it runs what its crons say when the time has come, in one of two workers", async (t) => {
  const store = await openStore(t);
  store.clock.setTo(Date.now());
  const runs: number[] = [];
  // Six fields: every second, so that the test need not wait for a minute.
  const task = { name: "often", cron: "* * * * * *", run: async () => ({ runs: runs.push(Date.now()) }) };
  const workers = [await openScheduler(t, store, [task]), await openScheduler(t, store, [task])];
  for (const worker of workers) worker.start();
  await until("it ran twice", () => runs.length >= 2);
  for (const worker of workers) await worker.stop(1000);
  const ran = workers.flatMap(({ lines }) => lines).filter(({ event }) => event === "task.finished");
  t.equal(ran.length, runs.length);
  const spanMs = (runs.at(-1) ?? 0) - (runs[0] ?? 0);
  t.ok(runs.length <= Math.ceil(spanMs / 1000) + 1, "once a second, not once a second and worker");
});
