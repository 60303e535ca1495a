import t, { type Test } from "tap";
import { sendMessage } from "../../../src/domain/messages/send.ts";
import { createJobStore } from "../../../src/redis/jobs.ts";
import { createMessageStore, createMessageWork } from "../../../src/redis/messages.ts";
import { openDeadLetters } from "../../support/dead-letters.ts";
import { openIssuer, passOf } from "../../support/issuer.ts";
import { openStore } from "../../support/store.ts";
import { addJob, claimOf, completed, depth, failed, lane, openQueue, settle } from "../../support/work.ts";

const no = failed("provider_unavailable", { bury: true });

/** A pass whose creation was given up by its wallets. */
async function deadPass(
  t: Test,
  {
    wallets = ["apple"] as const,
    credits = 5,
  }: { wallets?: readonly ("apple" | "google")[]; credits?: number } = {},
) {
  const store = await openStore(t, { partitions: 1 });
  const issuer = await openIssuer(store, { wallets, billing: { mode: "prepaid", credits } });
  const pass = passOf(await issuer.create());
  const queue = await openQueue(store);
  const take = () => claimOf(queue, issuer);
  for (const task of await take()) await settle(store, task, no);
  const jobs = createJobStore(store, () => store.connection);
  return {
    ...openDeadLetters(store),
    store,
    issuer,
    pass,
    take,
    jobKey: store.keys.record(issuer.tenantId, "job", pass.job_id),
    passKey: store.keys.pass(issuer.tenantId, pass.id),
    job: () => jobs.find(issuer.tenantId, pass.job_id),
    look: () => issuer.passes.find(issuer.tenantId, pass.id),
    balance: () => store.connection.hget(store.keys.credits(issuer.tenantId), "balance"),
    async letter(name = "apple") {
      const found = (await this.list()).find((each) => each.lane === name);
      if (found === undefined) throw new Error(`there is no dead letter of ${name}`);
      return found;
    },
  };
}

t.test("a replayed job keeps its id, counts from 1 again, and can bring its pass to life", async (t) => {
  const at = await deadPass(t);
  t.match(await at.look(), { status: "failed" });
  t.equal(await at.balance(), "5", "its credit was given back");
  t.equal(await at.replay(await at.letter()), "replayed");
  t.match(await at.job(), { status: "queued", attempts: 0, finishedAtMs: null });
  t.match(await at.look(), { status: "pending", providers: { apple: { status: "queued" } } });
  t.equal(await at.balance(), "4", "and is taken again");
  t.strictSame(await at.list(), []);

  const task = lane(await at.take(), "apple");
  t.match(task, { id: at.pass.job_id, attempt: 1, workClass: "interactive" });
  t.ok(await settle(at.store, task, completed));
  t.match(await at.job(), { status: "completed" });
  t.match(await at.look(), { status: "active", providers: { apple: { status: "completed" } } });
  t.ok((await at.store.connection.ttl(at.jobKey)) > 0, "it expires as any job");
  t.strictSame(await depth(at.store, 0), { entries: 0, pending: 0 });
});

t.test("a replayed job that fails again gives the credit back again and leaves a new letter", async (t) => {
  const at = await deadPass(t);
  const before = await at.letter();
  await at.replay(before);
  await settle(at.store, lane(await at.take(), "apple"), no);
  t.match(await at.look(), { status: "failed" });
  t.equal(await at.balance(), "5");
  const after = await at.letter();
  t.not(after.id, before.id);
  t.match(after, { recordId: before.recordId, facts: { attempts: 1, replays: 1 } });
  t.equal(await at.store.connection.ttl(at.jobKey), -1);
});

t.test("two replays at once put a job into the queue once", async (t) => {
  const at = await deadPass(t);
  const letter = await at.letter();
  const outcomes = await Promise.all([at.replay(letter), at.replay(letter)]);
  t.strictSame(outcomes.sort(), ["missing", "replayed"]);
  t.equal((await at.take()).length, 1);
  t.equal(await at.balance(), "4");
});

t.test("both wallets' letters are replayed apart, for one credit", async (t) => {
  const at = await deadPass(t, { wallets: ["apple", "google"] });
  t.equal(await at.replay(await at.letter("apple")), "replayed");
  await settle(at.store, lane(await at.take(), "apple"), completed);
  t.match(await at.job(), { status: "failed" });
  t.match(await at.look(), { status: "partial" });
  t.equal(await at.store.connection.ttl(at.jobKey), -1, "google's letter keeps the job");
  t.equal(await at.replay(await at.letter("google")), "replayed");
  await settle(at.store, lane(await at.take(), "google"), completed);
  t.match(await at.job(), { status: "completed" });
  t.match(await at.look(), { status: "active" });
  t.equal(await at.balance(), "4");
});

t.test("without a credit for it a failed pass is not replayed, and its letter stays", async (t) => {
  const at = await deadPass(t, { credits: 1 });
  await at.store.connection.hset(at.store.keys.credits(at.issuer.tenantId), "balance", 0);
  const letter = await at.letter();
  t.equal(await at.replay(letter), "insufficient_credits");
  t.strictSame(await at.list(), [letter]);
  t.match(await at.job(), { status: "failed" });
  t.strictSame(await at.take(), []);
});

t.test("what a pass's newer revision has overtaken ends, and leaves the newer work alone", async (t) => {
  const at = await deadPass(t);
  const { connection } = at.store;
  await connection.hset(at.passKey, { revision: 2, "apple:job": "the newer job", "apple:next": "one more" });
  t.equal(await at.replay(await at.letter()), "overtaken");
  t.match(await at.job(), { status: "completed" });
  t.strictSame(await connection.hmget(at.passKey, "apple:job", "apple:next"), ["the newer job", "one more"]);
  t.strictSame(await at.take(), []);
  t.strictSame(await at.list(), []);
});

t.test("a job of a pass that is gone ends when it is replayed", async (t) => {
  const at = await deadPass(t);
  await at.store.connection.del(at.passKey);
  t.equal(await at.replay(await at.letter()), "overtaken");
  t.match(await at.job(), { status: "completed" });
});

t.test("a job expires when the last of its letters is purged", async (t) => {
  const at = await deadPass(t, { wallets: ["apple", "google"] });
  await at.deadLetters.purge(await at.letter("apple"));
  t.equal(await at.store.connection.ttl(at.jobKey), -1);
  await at.deadLetters.purge(await at.letter("google"));
  t.ok((await at.store.connection.ttl(at.jobKey)) > 29 * 24 * 3600);
  t.match(await at.job(), { status: "failed" });
});

t.test("a job whose other letter was purged does not expire while it is tried again", async (t) => {
  const at = await deadPass(t, { wallets: ["apple", "google"] });
  const [apple, google] = [await at.letter("apple"), await at.letter("google")];
  await at.deadLetters.purge(apple);
  await at.replay(google);
  t.equal(await at.store.connection.ttl(at.jobKey), -1);
});

t.test("a replayed message is pending until it has been sent", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const issuer = await openIssuer(store, { wallets: ["apple"] });
  const pass = passOf(await issuer.create());
  const queue = await openQueue(store);
  await settle(store, lane(await claimOf(queue, issuer), "apple"), completed);
  const messages = createMessageStore(store);
  const work = createMessageWork(store, store.clock);
  await sendMessage({ ...issuer, messages }, {
    tenantId: issuer.tenantId,
    subject: { kind: "pass", id: pass.id },
    header: "Hello",
    body: "World",
    idempotency: null,
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  } as Parameters<typeof sendMessage>[1]);
  const task = lane(await claimOf(queue, issuer), "apple");
  const failure = { code: "provider_unavailable", description: "away" };
  await work.settle(task, { outcome: "failed", failure, bury: true });
  const status = async () => (await messages.find(issuer.tenantId, task.record.resource_id ?? ""))?.status;
  t.equal(await status(), "failed");

  const dead = openDeadLetters(store);
  const [letter] = await dead.list();
  if (letter === undefined) return t.fail("there is no dead letter");
  t.match(letter.facts, { jobType: "message.send", resource: { type: "message" } });
  t.equal(await dead.replay(letter), "replayed");
  t.equal(await status(), "pending");
  await work.settle(lane(await claimOf(queue, issuer), "apple"), { outcome: "sent" });
  t.equal(await status(), "sent");
  return;
});

t.test("a job shows its resource, error and trace id", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const dead = openDeadLetters(store);
  const tenantId = store.ids.uuid();
  const passId = store.ids.uuid();
  await addJob(store, { tenantId, passId });
  const queue = await openQueue(store);
  await settle(store, lane(await claimOf(queue, { tenantId, partition: 0 }), "apple"), no);
  const [letter] = await dead.list();
  if (letter === undefined) return t.fail("there is no dead letter");
  t.match(letter, { kind: "job", facts: { jobType: "pass.update", resource: { type: "pass", id: passId } } });
  t.match(await dead.deadLetters.details(letter), {
    body: null,
    error: { code: "provider_unavailable" },
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    lanes: [{ lane: "apple", state: "failed", attempts: 1 }],
  });
  return;
});
