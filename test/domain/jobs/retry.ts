import t, { type Test } from "tap";
import { retryJob } from "../../../src/domain/jobs/retry.ts";
import { openDeadLetters } from "../../support/dead-letters.ts";
import { openJobs } from "../../support/jobs.ts";
import { never, openReplays } from "../../support/replays.ts";
import { openStore } from "../../support/store.ts";
import { completed, failed, lane, settle } from "../../support/work.ts";

async function opened(t: Test, options: Parameters<typeof openJobs>[1] = {}) {
  const store = await openStore(t, { partitions: 1 });
  const jobs = await openJobs(store, options);
  const replays = openReplays(store);
  const deps = { ...replays.deps, jobHistory: jobs.jobHistory, ids: store.ids };
  const retry = (jobId: string, replayLimit: number | null = 10) =>
    retryJob(deps, { tenantId: jobs.tenantId, jobId, by: "ada@host", replayLimit, signal: never });
  return { ...jobs, store, replays, retry, letters: () => openDeadLetters(store).list() };
}

t.test("a job that was given up is replayed whole, as a task that stays", async (t) => {
  const at = await opened(t);
  const id = await at.failPass();
  t.equal((await at.letters()).length, 2);
  const { replay, hastened, details } = await at.retry(id);
  t.match(replay, { replayed: 2, overtaken: 0, already_gone: 0, refused: {} });
  t.strictSame(hastened, []);
  t.match(details, { job: { status: "queued" }, lanes: [{ state: "queued" }, { state: "queued" }] });
  t.strictSame(await at.letters(), []);
  t.match(await at.replays.look(replay?.taskId ?? ""), { status: "completed", requestedBy: "ada@host" });
  for (const task of await at.take()) await settle(at.store, task, completed);
  await t.rejects(at.retry(id), { code: "invalid_state", detail: /is completed/ });
});

t.test("what is put off is tried at once", async (t) => {
  const at = await opened(t);
  const id = await at.putOffPass();
  const { replay, hastened } = await at.retry(id);
  t.equal(replay, null);
  t.strictSame(hastened, ["apple", "google"]);
  await t.rejects(at.retry(id), { code: "invalid_state", detail: /Is a worker running/ });
  t.equal((await at.take()).length, 2);
  await t.rejects(at.retry(id), { code: "invalid_state", detail: /in hand/ });
});

t.test("a job of which one wallet gave up and the other waits gets both tried", async (t) => {
  const at = await opened(t);
  const id = await at.createPass();
  const tasks = await at.take();
  await settle(at.store, lane(tasks, "apple"), failed("provider_unavailable", { bury: true }));
  const failure = { code: "provider_unavailable", description: "away" };
  await at.queue.retryLater(lane(tasks, "google"), failure, at.store.clock.nowMs() + 60_000);
  const { replay, hastened } = await at.retry(id);
  t.match([replay?.replayed, hastened], [1, ["google"]]);
  t.equal((await at.take()).length, 2);
});

for (const code of ["provider_credentials_invalid", "provider_rejected"] as const) {
  t.test(`what failed with ${code} can be tried again, though it left no dead letter`, async (t) => {
    const at = await opened(t);
    const id = await at.createPass();
    const tasks = await at.take();
    await settle(at.store, lane(tasks, "google"), completed);
    await settle(at.store, lane(tasks, "apple"), failed(code));
    t.strictSame(await at.letters(), []);
    const { replay, details } = await at.retry(id);
    t.match(replay, { replayed: 1 });
    t.match(details, {
      job: { status: "queued" },
      lanes: [{ lane: "apple", state: "queued" }, { state: "done" }],
    });
    t.strictSame(await at.letters(), []);
    for (const task of await at.take()) await settle(at.store, task, completed);
    await t.rejects(at.retry(id), { code: "invalid_state", detail: /is completed/ });
  });
}

t.test("an answer is not asked for again", async (t) => {
  const at = await opened(t);
  const id = await at.createPass();
  for (const task of await at.take()) await settle(at.store, task, failed("invalid_template"));
  await t.rejects(at.retry(id), {
    code: "invalid_state",
    detail: /failed with invalid_template and has no dead letter/,
  });
  t.strictSame(await at.take(), []);
});

t.test("what died again and again stays, unless the limit is lifted", async (t) => {
  const at = await opened(t, { wallets: ["apple"] });
  const id = await at.failPass();
  t.match((await at.retry(id, 0)).replay, { replayed: 0, refused: { replay_limit: 1 } });
  t.equal((await at.letters()).length, 1);
  t.match((await at.retry(id, null)).replay, { replayed: 1, refused: {} });
});

t.test("nobody's job is nobody's", async (t) => {
  const at = await opened(t);
  await t.rejects(at.retry(at.store.ids.uuid()), { code: "not_found" });
  await t.rejects(at.retry("nonsense"), { code: "not_found" });
});
