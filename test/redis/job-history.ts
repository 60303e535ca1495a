import t from "tap";
import type { JobSource } from "../../src/domain/jobs/history.ts";
import { updatePass } from "../../src/domain/passes/update.ts";
import { drain, openDeadLetters } from "../support/dead-letters.ts";
import { passOf } from "../support/issuer.ts";
import { openJobs } from "../support/jobs.ts";
import { openStore } from "../support/store.ts";
import { addJob, completed, settle } from "../support/work.ts";

const dayMs = 24 * 60 * 60 * 1000;
const monthMs = 30 * dayMs;

async function idsIn(jobs: Awaited<ReturnType<typeof openJobs>>, source: JobSource): Promise<string[]> {
  const stretches = await drain(jobs.jobHistory.stretches(jobs.tenantId, source));
  return stretches.flatMap((stretch) => stretch.jobs.map(({ id }) => id));
}

t.test("every accepted operation is a job in its tenant's list, the newest first", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const jobs = await openJobs(store);
  const others = await openJobs(store);
  const pass = passOf(await jobs.issuer.create());
  await others.createPass();
  const updated = await updatePass(jobs.issuer, {
    ...{ tenantId: jobs.tenantId, idempotency: null, workClass: "interactive", traceId: "" },
    ...{ name: { passId: pass.id }, data: { points: "7" } },
  });
  const message = await jobs.sendMessage(pass.id);
  const batch = await jobs.createBatch();
  t.strictSame(await idsIn(jobs, "accepted"), [batch, message, passOf(updated).job_id, pass.job_id]);
  t.strictSame(await idsIn(jobs, "batches"), [batch]);
  t.strictSame(await idsIn(jobs, "messages"), [message]);
  t.strictSame(await idsIn(jobs, "cancelled"), []);
  t.equal((await idsIn(others, "accepted")).length, 1);
  store.clock.forward(monthMs + 1000);
  t.strictSame(await idsIn(jobs, "batches"), [], "a batch stays, its job does not");
});

t.test("the list goes back over the days of a month, as many at a time as are wanted", async (t) => {
  const jobs = await openJobs(await openStore(t, { partitions: 1 }));
  const created: string[] = [];
  for (const afterMs of [0, 1000, 29 * dayMs]) {
    jobs.store.clock.forward(afterMs);
    for (let each = 0; each < 3; each += 1) created.push(await jobs.createPass());
  }
  t.strictSame(await idsIn(jobs, "accepted"), created.toReversed());
  const two = await drain(jobs.jobHistory.stretches(jobs.tenantId, "accepted", 2));
  t.strictSame(
    two.map(({ looked }) => looked),
    [2, 1, 2, 2, 2],
    "days are not read together",
  );
});

t.test(
  "a job of somebody whose clock is ahead is in the list, too, and what is older than a month is not",
  async (t) => {
    const jobs = await openJobs(await openStore(t, { partitions: 1 }));
    const id = await jobs.createPass();
    jobs.store.clock.forward(-dayMs);
    t.strictSame(await idsIn(jobs, "accepted"), [id]);
    jobs.store.clock.forward(33 * dayMs);
    t.strictSame(await idsIn(jobs, "accepted"), []);
  },
);

t.test("a day's list costs 16 bytes a job, and is kept until its last job is a month old", async (t) => {
  const jobs = await openJobs(await openStore(t, { partitions: 1 }));
  const { connection, keys, clock } = jobs.store;
  for (let each = 0; each < 3; each += 1) await jobs.createPass();
  const list = keys.jobList(jobs.tenantId, Math.floor(clock.nowMs() / dayMs));
  t.equal(await connection.strlen(list), 48);
  const leftMs = await connection.pttl(list);
  t.ok(leftMs > monthMs + dayMs - 60_000 && leftMs <= monthMs + dayMs, `${leftMs} ms`);
});

t.test("of a partition's unfinished records the tenant's jobs are found, and nothing else", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const jobs = await openJobs(store);
  await addJob(store, { tenantId: store.ids.uuid() });
  const waiting = await jobs.createPass();
  for (const task of await jobs.take()) await settle(store, task, completed);
  const putOff = await jobs.putOffPass();
  const queued = await jobs.createPass();
  t.strictSame((await idsIn(jobs, "open")).sort(), [putOff, queued].sort());
  t.ok((await idsIn(jobs, "accepted")).includes(waiting));
});

t.test("a job that failed is among the failed ones until it is given another try", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const jobs = await openJobs(store, { wallets: ["apple"] });
  const refused = await jobs.failPass(false);
  store.clock.forward(1000);
  const givenUp = await jobs.failPass();
  t.strictSame(await idsIn(jobs, "failed"), [givenUp, refused]);

  const dead = openDeadLetters(store);
  for (const letter of await dead.list()) t.equal(await dead.replay(letter), "replayed");
  t.strictSame(await idsIn(jobs, "failed"), [refused]);
  for (const task of await jobs.take()) await settle(store, task, completed);
  t.strictSame(await idsIn(jobs, "failed"), [refused]);

  store.clock.forward(monthMs + 1000);
  const latest = await jobs.failPass();
  t.strictSame(await idsIn(jobs, "failed"), [latest], "what failed a month ago leaves as others come");
});

t.test("a job's lanes tell attempts, when the next is due, and the dead letter", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const jobs = await openJobs(store, { wallets: ["apple"] });
  const dueAtMs = store.clock.nowMs() + 5000;
  const putOff = await jobs.jobHistory.details(jobs.tenantId, await jobs.putOffPass(dueAtMs));
  t.match(putOff, {
    job: { status: "retrying", error: { code: "provider_unavailable" } },
    lanes: [{ lane: "apple", state: "retrying", attempts: 1, nextAttemptAtMs: dueAtMs, deadLetterId: null }],
  });
  const failed = await jobs.jobHistory.details(jobs.tenantId, await jobs.failPass());
  const [letter] = await openDeadLetters(store).list();
  t.match(failed?.lanes, [
    { lane: "apple", state: "failed", attempts: 1, replays: 0, deadLetterId: letter?.id },
  ]);
  t.equal(await jobs.jobHistory.details(store.ids.uuid(), failed?.job.id ?? ""), null);
});

t.test("what is put off is tried at once, once, and that is its next attempt", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const jobs = await openJobs(store);
  const id = await jobs.putOffPass();
  t.strictSame((await jobs.jobHistory.hasten(jobs.tenantId, id)).sort(), ["apple", "google"]);
  t.strictSame(await jobs.jobHistory.hasten(jobs.tenantId, id), []);
  t.equal(await store.connection.zcard(store.keys.delayed(0, "interactive")), 0);
  t.match(await jobs.jobHistory.details(jobs.tenantId, id), {
    lanes: [
      { state: "queued", attempts: 1 },
      { state: "queued", attempts: 1 },
    ],
  });
  const tasks = await jobs.take();
  t.match(tasks, [
    { id, attempt: 2 },
    { id, attempt: 2 },
  ]);
  t.strictSame(await jobs.queue.promoteDue(Number.MAX_SAFE_INTEGER), { promoted: 0, nextDueAtMs: null });
  for (const task of tasks) await settle(store, task, completed);
  t.strictSame(await jobs.jobHistory.hasten(jobs.tenantId, id), [], "nothing is left of it");
  t.strictSame(await jobs.jobHistory.hasten(jobs.tenantId, store.ids.uuid()), []);
});
