import t, { type Test } from "tap";
import type { Task } from "../../../src/domain/jobs/work.ts";
import { createJobStore } from "../../../src/redis/jobs.ts";
import { openIssuer, passOf } from "../../support/issuer.ts";
import { openStore } from "../../support/store.ts";
import { claimOf, completed, failed, lane, openQueue, settle } from "../../support/work.ts";

type Ending = "done" | "failed" | "retrying";
const endings: Ending[] = ["done", "failed", "retrying"];
const thirtyDays = 30 * 24 * 3600;

/** A pass's job whose two wallets' parts are in hand. */
async function jobInHand(t: Test) {
  const store = await openStore(t);
  const issuer = await openIssuer(store);
  const { job_id: id } = passOf(await issuer.create());
  const queue = await openQueue(store);
  const tasks = await claimOf(queue, issuer);
  const jobs = createJobStore(store, () => store.connect({ blocking: true }));
  const key = store.keys.record(issuer.tenantId, "job", id);
  return {
    store,
    queue,
    id,
    key,
    apple: lane(tasks, "apple"),
    google: lane(tasks, "google"),
    async look() {
      const job = await jobs.find(issuer.tenantId, id);
      if (job === null) throw new Error("the job is gone");
      return job;
    },
    /** Takes what was put off and is due by now. */
    async retried() {
      await queue.promoteDue(store.clock.nowMs() + 60_000);
      return claimOf(queue, issuer);
    },
  };
}

type JobInHand = Awaited<ReturnType<typeof jobInHand>>;

/** Ends an attempt; the failures name the lane that they are of. */
async function end({ store, queue }: JobInHand, task: Task, ending: Ending): Promise<void> {
  if (ending === "done") await settle(store, task, completed);
  if (ending === "failed") await settle(store, task, failed(`${task.lane} refused`));
  if (ending === "retrying") {
    const failure = { code: `${task.lane} away`, description: "for now" };
    await queue.retryLater(task, failure, store.clock.nowMs() + 1000);
  }
}

/** What a job is when its lanes are so. */
function expected(first: Ending, second: Ending | "running"): string {
  if (first === "retrying" || second === "retrying") return "retrying";
  if (second === "running") return "running";
  return first === "failed" || second === "failed" ? "failed" : "completed";
}

for (const firstLane of ["apple", "google"] as const) {
  const secondLane = firstLane === "apple" ? "google" : "apple";
  for (const first of endings) {
    for (const second of endings) {
      t.test(`a job tells of ${firstLane} ${first}, then ${secondLane} ${second}`, async (t) => {
        const job = await jobInHand(t);
        const { clock } = job.store;
        const startedAtMs = clock.nowMs();
        t.match(await job.look(), { status: "running", attempts: 1, startedAtMs, finishedAtMs: null });

        clock.forward(10);
        await end(job, job[firstLane], first);
        t.equal((await job.look()).status, expected(first, "running"), "after the first");

        clock.forward(10);
        await end(job, job[secondLane], second);
        const status = expected(first, second);
        const finished = status === "completed" || status === "failed";
        const done = [first, second].filter((ending) => ending === "done").length;
        t.match(await job.look(), {
          status,
          progress: { done, total: 2 },
          startedAtMs,
          finishedAtMs: finished ? clock.nowMs() : null,
        });
        const seconds = await job.store.connection.ttl(job.key);
        t.equal(seconds > thirtyDays - 10, finished, `kept for ${seconds} s`);

        for (const task of await job.retried()) await end(job, task, "done");
        const wasRefused = first === "failed" || second === "failed";
        const last = await job.look();
        t.match(last, {
          status: wasRefused ? "failed" : "completed",
          progress: { done: 2 - [first, second].filter((ending) => ending === "failed").length },
          attempts: first === "retrying" || second === "retrying" ? 2 : 1,
        });
        t.equal(last.error === null, !wasRefused);
        if (wasRefused) t.match(last.error?.code, /refused$/, "the error of a lane that failed");
      });
    }
  }
}

t.test("a job tells why it is retrying, and forgets it when all went well", async (t) => {
  const job = await jobInHand(t);
  await end(job, job.apple, "retrying");
  t.strictSame((await job.look()).error, { code: "apple away", description: "for now" });
  await end(job, job.google, "done");
  for (const task of await job.retried()) await end(job, task, "done");
  t.match(await job.look(), { status: "completed", error: null, attempts: 2 });
});

t.test("a retry that is taken makes the job run again", async (t) => {
  const job = await jobInHand(t);
  await end(job, job.apple, "done");
  await end(job, job.google, "retrying");
  await job.retried();
  t.match(await job.look(), { status: "running", attempts: 2 });
});

t.test(
  "what we could not do becomes a dead letter, and its job is kept until that is dealt with",
  async (t) => {
    const job = await jobInHand(t);
    const { connection, keys } = job.store;
    await settle(job.store, job.apple, failed("provider_unavailable", { bury: true }));
    await settle(job.store, job.google, completed);
    t.match(await job.look(), { status: "failed", progress: { done: 1, total: 2 } });
    const letters = await connection.xrange(keys.deadLetters(job.apple.partition), "-", "+");
    t.strictSame(
      letters.map(([, fields]) => fields),
      [
        [
          "r",
          `${job.apple.tenantId}:job:${job.id}`,
          "l",
          "apple",
          "reason",
          "provider_unavailable",
          "c",
          "interactive",
        ],
      ],
    );
    t.equal(await connection.hget(job.key, "apple:dead"), letters[0]?.[0], "each leads to the other");
    t.equal(await connection.ttl(job.key), -1);
  },
);

t.test("what a wallet refused is an answer, no dead letter", async (t) => {
  const job = await jobInHand(t);
  await end(job, job.apple, "failed");
  await end(job, job.google, "failed");
  t.equal(await job.store.connection.exists(job.store.keys.deadLetters(job.apple.partition)), 0);
});
