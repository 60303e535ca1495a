import t, { type Test } from "tap";
import { createReplayDriver } from "../../src/daemon/replay-driver.ts";
import { openDeadLetters } from "../support/dead-letters.ts";
import { readableLog } from "../support/log.ts";
import { openReplays } from "../support/replays.ts";
import { openStore } from "../support/store.ts";
import { until } from "../support/until.ts";

/** Replays that were begun at terminals which are no more, and workers. */
async function abandoned(t: Test, tenants: number) {
  const store = await openStore(t);
  const dead = openDeadLetters(store);
  const terminal = openReplays(store, { holder: "terminal:1" });
  const tasks: string[] = [];
  for (let each = 0; each < tenants; each += 1) {
    const tenantId = store.ids.uuid();
    await dead.killJob(tenantId);
    await dead.killJob(tenantId);
    tasks.push((await terminal.start({ tenantId })).task.id);
  }
  const worker = async (pid: number, meanwhile?: () => Promise<unknown>) => {
    const log = readableLog();
    const through = await store.another();
    const replays = openReplays(store, { through, holder: `worker:${pid}`, ...(meanwhile && { meanwhile }) });
    return { ...createReplayDriver({ ...replays.deps, log }), log };
  };
  return { store, dead, terminal, tasks, worker };
}

t.test("workers take over what nobody drives any more, each replay one of them", async (t) => {
  const { store, dead, terminal, tasks, worker } = await abandoned(t, 3);
  const workers = await Promise.all([2, 3, 4].map((pid) => worker(pid)));
  await Promise.all(workers.map((each) => each.runOnce()));
  for (const each of workers) t.strictSame(each.log.lines, [], "not while the terminal may live");

  store.clock.forward(5000);
  await Promise.all(workers.map((each) => each.runOnce()));
  await Promise.all(workers.map((each) => each.settled()));
  for (const id of tasks) {
    t.match(await terminal.look(id), { status: "completed", count: { overtaken: 2, already_gone: 0 } });
  }
  t.strictSame(await dead.list(), []);
  const taken = workers.flatMap(({ log }) => log.of("replay.taken_over")).map(({ replay }) => replay);
  t.strictSame(taken.sort(), [...tasks].sort());
});

t.test("a worker that stops lets its replays go, and another goes on", async (t) => {
  const { store, terminal, worker } = await abandoned(t, 0);
  const dead = openDeadLetters(store);
  const tenantId = store.ids.uuid();
  for (let each = 0; each < 3; each += 1) await dead.killJob(tenantId);
  const { task } = await terminal.start({ tenantId }, { rate: 1 });
  store.clock.forward(5000);
  const reached = Promise.withResolvers<void>();
  const proceed = Promise.withResolvers<void>();
  const first = await worker(2, async () => {
    reached.resolve();
    await proceed.promise;
  });
  first.start();
  await reached.promise;
  const stopped = first.stop(10_000);
  proceed.resolve();
  await stopped;
  t.match(await terminal.look(task.id), { status: "running", heldBy: null, count: { overtaken: 1 } });
  const second = await worker(3);
  second.start();
  await until("the replay has ended", async () => (await terminal.look(task.id))?.status === "completed");
  await second.stop(10_000);
  t.match(await terminal.look(task.id), { count: { overtaken: 3 } });
});
