import t, { type Test } from "tap";
import { openConnection } from "../../../src/redis/connection.ts";
import { createJobStore } from "../../../src/redis/jobs.ts";
import { openIssuer, passOf } from "../../support/issuer.ts";
import { openStore, testRedisUrl } from "../../support/store.ts";
import { openProxy } from "../../support/tcp-proxy.ts";
import { until } from "../../support/until.ts";
import { claimOf, completed, failed, openQueue, settle } from "../../support/work.ts";

const never = new AbortController().signal;

/** A job in hand, and a way to wait for it. */
async function waitable(t: Test) {
  const store = await openStore(t);
  const issuer = await openIssuer(store, { wallets: ["apple"] });
  const { job_id: id } = passOf(await issuer.create());
  const [task] = await claimOf(await openQueue(store), issuer);
  if (task === undefined) throw new Error("there is no work");
  const jobs = createJobStore(store, () => store.connect({ blocking: true }));
  return {
    store,
    task,
    wait: (timeoutMs: number, signal = never) => jobs.awaitFinish(issuer.tenantId, id, timeoutMs, signal),
    jobs,
    issuer,
    listeners: async () => {
      const [, count] = await store.connection.pubsub("NUMSUB", store.keys.finishedJobs);
      return Number(count);
    },
  };
}

t.test("a wait ends when the job is finished, for all who wait", async (t) => {
  const { store, task, wait, listeners } = await waitable(t);
  const waits = Promise.all([wait(20_000), wait(20_000), wait(20_000)]);
  await until("the notice is subscribed to", async () => (await listeners()) === 1);
  await settle(store, task, completed);
  t.match(await waits, [{ status: "completed" }, { status: "completed" }, { status: "completed" }]);
  t.equal(await listeners(), 1, "over one connection");
});

t.test("a wait ends when the job has failed", async (t) => {
  const { store, task, wait } = await waitable(t);
  const waiting = wait(20_000);
  await settle(store, task, failed("provider_rejected"));
  t.match(await waiting, { status: "failed", error: { code: "provider_rejected" } });
});

t.test("a wait for a finished job, for none, or for no time ends at once", async (t) => {
  const { store, task, wait, jobs, issuer } = await waitable(t);
  t.match(await wait(0), { status: "running" });
  await settle(store, task, completed);
  t.match(await wait(20_000), { status: "completed" });
  t.equal(await jobs.awaitFinish(issuer.tenantId, store.ids.uuid(), 20_000, never), null);
});

t.test("a wait ends with the job as it stands when its time is over", async (t) => {
  const { wait } = await waitable(t);
  t.match(await wait(30), { status: "running" });
});

t.test("a wait ends with the job as it stands when nobody wants its answer any more", async (t) => {
  const { wait } = await waitable(t);
  const caller = new AbortController();
  const waiting = wait(20_000, caller.signal);
  caller.abort();
  t.match(await waiting, { status: "running" });
  t.match(await wait(20_000, AbortSignal.abort()), { status: "running" });
});

t.test("a wait outlives the loss of the connection that hears the notices", async (t) => {
  const { store, task, wait, listeners } = await waitable(t);
  const waiting = wait(20_000);
  await until("the notice is subscribed to", async () => (await listeners()) === 1);
  const clients = String(await store.connection.client("LIST", "TYPE", "PUBSUB"));
  const subscribers = clients.split("\n").filter((line) => / name=passwright:test /.test(line));
  for (const line of subscribers) {
    await store.connection.client("KILL", "ID", Number(/^id=(\d+)/.exec(line)?.[1]));
  }
  t.ok(subscribers.length > 0);
  await until("the notice is subscribed to again", async () => (await listeners()) === 1);
  await settle(store, task, completed);
  t.match(await waiting, { status: "completed" });
});

t.test("a job that finishes while nobody is told is found by looking", async (t) => {
  const { store, task, wait, listeners } = await waitable(t);
  const waiting = wait(20_000);
  await until("the notice is subscribed to", async () => (await listeners()) === 1);
  // Finished by hand, without the notice.
  const key = store.keys.record(task.tenantId, "job", task.id);
  await store.connection.hset(key, { status: "completed", finished_at: store.clock.nowMs() });
  t.match(await waiting, { status: "completed" });
});

t.test("a connection for notices that has fallen silent is replaced while somebody waits", async (t) => {
  const { store, issuer, task, listeners } = await waitable(t);
  const proxy = await openProxy(t, testRedisUrl());
  const subscriber = openConnection(proxy.url, { name: "test-notices" });
  t.teardown(() => subscriber.disconnect());
  const jobs = createJobStore(store, () => subscriber);
  const waiting = jobs.awaitFinish(issuer.tenantId, task.id, 20_000, never);
  await until("the notice is subscribed to", async () => (await listeners()) === 1);
  proxy.mute();
  await until("there is another connection", () => proxy.opened() === 2);
  await until("the notice is subscribed to again", () => subscriber.status === "ready");
  await settle(store, task, completed);
  t.match(await waiting, { status: "completed" });
});
