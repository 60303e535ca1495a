import t from "tap";
import type { Task } from "../../../src/domain/jobs/work.ts";
import type { PassOutcome } from "../../../src/domain/passes/pass.ts";
import { updatePass } from "../../../src/domain/passes/update.ts";
import { createEventStore } from "../../../src/redis/events.ts";
import { createJobStore } from "../../../src/redis/jobs.ts";
import { openIssuer, passOf } from "../../support/issuer.ts";
import { openStore } from "../../support/store.ts";
import { addJob, claimOf, completed, failed, lane, openQueue, settle } from "../../support/work.ts";

const store = await openStore(t);
const { keys, connection, clock } = store;

/** A fresh pass whose wallets' parts are in a worker's hands. */
async function passInHand(options: Parameters<typeof openIssuer>[1] = {}) {
  const issuer = await openIssuer(store, options);
  const { id, job_id: jobId } = passOf(await issuer.create());
  const queue = await openQueue(store);
  const tasks = await claimOf(queue, issuer);
  return {
    issuer,
    id,
    tasks,
    queue,
    jobId,
    apple: () => lane(tasks, "apple"),
    google: () => lane(tasks, "google"),
    look: () => issuer.passes.find(issuer.tenantId, id),
    status: async () => (await issuer.passes.find(issuer.tenantId, id))?.status,
    /** The statuses by which the pass is found in lists. */
    listedAs: async () => {
      const found = await connection.keys(`${keys.passesByStatus(issuer.tenantId)}:*`);
      return found.map((index) => index.split(":").at(-1));
    },
    events: async (type: "pass.activated" | "pass.failed") => {
      const page = { page: 1, pageSize: 20 };
      return (await createEventStore(store).list(issuer.tenantId, { type, passId: id }, page)).items;
    },
  };
}

t.test("a pass is partial when the first wallet is done, and active when the last is", async (t) => {
  const pass = await passInHand();
  const { tenantId } = pass.issuer;
  clock.forward(1000);
  await settle(store, pass.google(), {
    outcome: "completed",
    saveLink: "https://pay.google.com/gp/v/save/x",
  });
  t.match(await pass.issuer.passes.find(tenantId, pass.id), {
    status: "partial",
    providers: {
      google: {
        status: "completed",
        saveLink: "https://pay.google.com/gp/v/save/x",
        updatedAtMs: clock.nowMs(),
      },
      apple: { status: "processing", saveLink: null, updatedAtMs: clock.nowMs() - 1000 },
    },
  });
  t.strictSame(await pass.listedAs(), ["partial"]);
  t.strictSame(await pass.events("pass.activated"), []);
  t.equal(await connection.zcard(keys.passesByTemplate(tenantId, pass.issuer.templateId)), 0);

  await settle(store, pass.apple(), completed);
  t.equal(await pass.status(), "active");
  t.strictSame(await pass.listedAs(), ["active"]);
  t.equal((await pass.events("pass.activated")).length, 1);
  t.strictSame(await connection.zrange(keys.passesByTemplate(tenantId, pass.issuer.templateId), "0", "-1"), [
    pass.id,
  ]);
  t.match(await connection.hgetall(keys.eventCounts(tenantId, "2026-11-21")), { "pass.activated": "1" });
});

const no = failed("provider_rejected");
const ends: [name: string, apple: PassOutcome, google: PassOutcome, status: string, credits: number][] = [
  ["one wallet that failed leaves the pass partial", no, completed, "partial", 999],
  ["one wallet that failed later leaves the pass partial", completed, no, "partial", 999],
  ["a pass fails when every wallet failed, and its credit comes back", no, no, "failed", 1000],
];
for (const [name, apple, google, status, credits] of ends) {
  t.test(name, async (t) => {
    const pass = await passInHand();
    await settle(store, pass.apple(), apple);
    await settle(store, pass.google(), google);
    t.equal(await pass.status(), status);
    t.strictSame(await pass.listedAs(), [status]);
    t.strictSame(await pass.issuer.balance(), { mode: "prepaid", credits });
    t.equal((await pass.events("pass.failed")).length, status === "failed" ? 1 : 0);
    const found = await pass.issuer.passes.find(pass.issuer.tenantId, pass.id);
    const refused = {
      status: "failed",
      error: { code: "provider_rejected", description: "because of provider_rejected" },
    };
    if (apple === no) t.match(found?.providers.apple, refused);
    if (google === no) t.match(found?.providers.google, refused);
  });
}

t.test("a pass still pending is so while its only answer is a failure", async (t) => {
  const pass = await passInHand();
  await settle(store, pass.apple(), no);
  t.equal(await pass.status(), "pending");
  t.strictSame(await pass.issuer.balance(), { mode: "prepaid", credits: 999 });
});

t.test("the credit of a failed pass comes back once, however often the failure is reported", async (t) => {
  const pass = await passInHand({ wallets: ["apple"] });
  const reports = await Promise.all(Array.from({ length: 10 }, () => settle(store, pass.apple(), no)));
  t.equal(reports.filter((held) => held).length, 1);
  t.strictSame(await pass.issuer.balance(), { mode: "prepaid", credits: 1000 });
  const retried = await again(pass);
  await settle(store, retried, no);
  t.strictSame(await pass.issuer.balance(), { mode: "prepaid", credits: 1000 }, "nor by a second job");
});

t.test("a pass that one wallet took is paid for, also when all refuse its next version", async (t) => {
  const pass = await passInHand();
  await settle(store, pass.apple(), completed);
  await settle(store, pass.google(), no);
  await update(pass);
  const tasks = await claimOf(pass.queue, pass.issuer);
  await settle(store, lane(tasks, "apple"), no);
  await settle(store, lane(tasks, "google"), no);
  t.equal(await pass.status(), "failed");
  t.strictSame(await pass.issuer.balance(), { mode: "prepaid", credits: 999 });
});

t.test("an answer for an older version closes its lane and leaves the pass alone", async (t) => {
  const pass = await passInHand();
  await update(pass);
  const before = await pass.look();
  t.match(before, { status: "updating", version: 2 });
  t.ok(await settle(store, pass.apple(), completed));
  t.ok(await settle(store, pass.google(), no));
  t.strictSame(await pass.look(), before);
  t.strictSame(await pass.issuer.balance(), { mode: "prepaid", credits: 999 });
  t.strictSame([await pass.events("pass.activated"), await pass.events("pass.failed")], [[], []]);
  const job = await createJobStore(store, () => connection).find(pass.issuer.tenantId, pass.jobId);
  t.ok(job?.finishedAtMs);
});

t.test("an attempt that was overtaken closes its lane as done and leaves the pass alone", async (t) => {
  const pass = await passInHand();
  const before = await pass.look();
  t.ok(await settle(store, pass.apple(), { outcome: "overtaken" }));
  t.ok(await settle(store, pass.google(), { outcome: "overtaken" }));
  t.strictSame(await pass.look(), before);
  const job = await createJobStore(store, () => connection).find(pass.issuer.tenantId, pass.jobId);
  t.match(job, { status: "completed", progress: { done: 2, total: 2 } });
});

t.test("pass.activated is recorded once in the life of a pass", async (t) => {
  const pass = await passInHand({ wallets: ["apple"] });
  await settle(store, pass.apple(), completed);
  await update(pass);
  t.equal(await pass.status(), "updating");
  await settle(store, lane(await claimOf(pass.queue, pass.issuer), "apple"), completed);
  t.equal(await pass.status(), "active", "active again");
  t.equal((await pass.events("pass.activated")).length, 1);
});

t.test("a wallet that succeeds after a failure shows no error any more", async (t) => {
  const pass = await passInHand({ wallets: ["apple"] });
  await settle(store, pass.apple(), no);
  await settle(store, await again(pass), completed);
  const found = await pass.issuer.passes.find(pass.issuer.tenantId, pass.id);
  t.match(found, { status: "active", providers: { apple: { status: "completed", error: null } } });
});

type PassInHand = Awaited<ReturnType<typeof passInHand>>;

/** Has an update of the pass accepted, one that changes no data. */
function update({ issuer, id }: PassInHand) {
  return updatePass(issuer, {
    tenantId: issuer.tenantId,
    name: { passId: id },
    data: {},
    idempotency: null,
    workClass: "interactive",
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  });
}

/** Apple's part of one more job for the same state of the pass, in hand. */
async function again(pass: PassInHand): Promise<Task> {
  const { tenantId, templateId } = pass.issuer;
  await addJob(store, { tenantId, templateId, passId: pass.id });
  return lane(await claimOf(pass.queue, pass.issuer), "apple");
}

t.test("a wallet's part is processing from when a worker takes it, until it is settled", async (t) => {
  const issuer = await openIssuer(store);
  const { id } = passOf(await issuer.create());
  const statuses = async () => {
    const found = await issuer.passes.find(issuer.tenantId, id);
    return [found?.providers.apple?.status, found?.providers.google?.status];
  };
  t.strictSame(await statuses(), ["queued", "queued"]);
  const tasks = await claimOf(await openQueue(store), issuer);
  t.strictSame(await statuses(), ["processing", "processing"]);
  await settle(store, lane(tasks, "google"), completed);
  t.strictSame(await statuses(), ["processing", "completed"]);
});

t.test("that only test accounts can save a pass is known until it is issued otherwise", async (t) => {
  const pass = await passInHand({ wallets: ["google"] });
  await settle(store, pass.google(), {
    outcome: "completed",
    saveLink: "https://g.example/save",
    testOnly: true,
  });
  t.match((await pass.look())?.providers.google, { status: "completed", testOnly: true });
  const { tenantId } = pass.issuer;
  const again = async () => {
    await updatePass(pass.issuer, {
      ...{ tenantId, name: { passId: pass.id }, data: {}, idempotency: null },
      ...{ workClass: "interactive", traceId: "4bf92f3577b34da6a3ce929d0e0e4736" },
    });
    return lane(await claimOf(pass.queue, pass.issuer), "google");
  };
  await settle(store, await again(), failed("provider_rejected"));
  t.match(
    (await pass.look())?.providers.google,
    { testOnly: true },
    "the link that there is is the one of before",
  );
  await settle(store, await again(), completed);
  t.notOk("testOnly" in ((await pass.look())?.providers.google ?? {}));
});
