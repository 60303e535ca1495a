import t, { type Test } from "tap";
import { type ErrorOptions, PasswrightError } from "../../src/domain/errors.ts";
import type { Task } from "../../src/domain/jobs/work.ts";
import { carryOutPass, type Providers } from "../../src/domain/passes/carry-out.ts";
import { revokePass } from "../../src/domain/passes/revoke.ts";
import { updatePass } from "../../src/domain/passes/update.ts";
import type { Credentials } from "../../src/domain/providers/configuration.ts";
import type { PassToIssue } from "../../src/domain/providers/provider.ts";
import type { WalletKey } from "../../src/domain/templates/template.ts";
import { createDeviceStore } from "../../src/redis/devices.ts";
import { createJobStore } from "../../src/redis/jobs.ts";
import { createPassWork } from "../../src/redis/pass-work.ts";
import { baseUrl, credentials, icon, openIssuer, passOf } from "../support/issuer.ts";
import { keySpace } from "../support/key-space.ts";
import { openStore } from "../support/store.ts";
import { addJob, claimOf, openQueue, silence } from "../support/work.ts";

type Call = { wallet: WalletKey; job: PassToIssue; credentials: unknown };
const never = new AbortController().signal;
const jobRetrySchedule = [0, 5000, 30_000];

/** A tenant with one accepted pass, and a worker whose wallets answer as the test says. */
async function working(t: Test, wallets: readonly WalletKey[] = ["apple"]) {
  const store = await openStore(t);
  const issuer = await openIssuer(store, { wallets });
  const accepted = passOf(await issuer.create());
  const queue = await openQueue(store);
  const calls: Call[] = [];
  let reply: (wallet: WalletKey, signal: AbortSignal) => Promise<string> = async (wallet) =>
    `https://${wallet}.example/save`;
  const provider = <Wallet extends WalletKey>(key: Wallet) => ({
    key,
    async issue(job: PassToIssue, credentials: Credentials[Wallet], signal: AbortSignal) {
      calls.push({ wallet: key, job, credentials });
      return { saveLink: await reply(key, signal) };
    },
    close: async () => {},
  });
  const providers: Providers = { apple: provider("apple"), google: provider("google") };
  const deps = {
    ...issuer,
    passWork: createPassWork(store, store.clock),
    providers,
    devices: createDeviceStore(store),
    queue,
    jobRetrySchedule,
  };
  const jobs = createJobStore(store, () => store.connect({ blocking: true }));
  return {
    store,
    issuer,
    queue,
    calls,
    accepted,
    take: () => claimOf(queue, issuer),
    /** Lets the wallets fail from now on. */
    refuse(code: ConstructorParameters<typeof PasswrightError>[0], options: ErrorOptions = {}) {
      reply = async () => {
        throw new PasswrightError(code, `because of ${code}`, options);
      };
    },
    reply(answer: typeof reply) {
      reply = answer;
    },
    carryOut: (task: Task, signal = never) => carryOutPass(deps, task, signal),
    pass: () => issuer.passes.find(issuer.tenantId, accepted.id),
    job: () => jobs.find(issuer.tenantId, accepted.job_id),
    letters: () => store.connection.xlen(store.keys.deadLetters(issuer.partition)),
    dueIn: async () => {
      const { nextDueAtMs } = await queue.promoteDue(0);
      return nextDueAtMs === null ? null : nextDueAtMs - store.clock.nowMs();
    },
  };
}

function revoke({ issuer, accepted }: Awaited<ReturnType<typeof working>>) {
  return revokePass(issuer, {
    ...{ tenantId: issuer.tenantId, name: { passId: accepted.id }, idempotency: null },
    ...{ workClass: "interactive", traceId: "4bf92f3577b34da6a3ce929d0e0e4736" },
  });
}

async function oneTask(at: Awaited<ReturnType<typeof working>>): Promise<Task> {
  const [task] = await at.take();
  if (task === undefined) throw new Error("there is no work");
  return task;
}

t.test("a pass is made in each wallet with what that wallet needs, and is active then", async (t) => {
  const at = await working(t, ["apple", "google"]);
  for (const task of await at.take()) t.strictSame(await at.carryOut(task), { outcome: "completed" });
  t.match(await at.pass(), {
    status: "active",
    providers: {
      apple: { saveLink: "https://apple.example/save" },
      google: { saveLink: "https://google.example/save" },
    },
  });
  t.match(await at.job(), { status: "completed", progress: { done: 2, total: 2 } });
  for (const { wallet, job, credentials: given } of at.calls) {
    t.strictSame(given, credentials[wallet]);
    t.match(job, { baseUrl, voided: false, pass: { id: at.accepted.id, data: { name: "Ada" } } });
    t.strictSame(job.template.images.get("icon.png"), icon);
  }
});

t.test("what a wallet refuses fails for good and leaves no dead letter", async (t) => {
  for (const code of ["provider_rejected", "provider_credentials_invalid"] as const) {
    const at = await working(t);
    at.refuse(code);
    const failure = { code, description: `because of ${code}` };
    t.match(await at.carryOut(await oneTask(at)), { outcome: "failed", failure });
    t.match(await at.job(), { status: "failed", error: failure });
    t.match(await at.pass(), { status: "failed", providers: { apple: { error: failure } } });
    t.equal(await at.letters(), 0);
  }
});

t.test("a pass that a wallet never took is revoked, though the wallet refuses this as well", async (t) => {
  for (const code of ["provider_rejected", "provider_credentials_invalid"] as const) {
    const at = await working(t);
    at.refuse(code);
    await at.carryOut(await oneTask(at));
    await revoke(at);
    t.strictSame(await at.carryOut(await oneTask(at)), { outcome: "revoked" });
    t.match(await at.pass(), {
      status: "revoked",
      providers: { apple: { status: "revoked", saveLink: null } },
    });
  }
});

t.test("a pass that a wallet has is not revoked before the wallet has voided it", async (t) => {
  const at = await working(t);
  await at.carryOut(await oneTask(at));
  await revoke(at);
  at.refuse("provider_rejected");
  t.match(await at.carryOut(await oneTask(at)), { outcome: "failed" });
  t.match(await at.pass(), { status: "revoking", providers: { apple: { status: "failed" } } });
});

t.test("a wallet that is away is tried again by the schedule, then a dead letter is left", async (t) => {
  const at = await working(t);
  at.refuse("provider_unavailable");
  for (const wait of [5000, 30_000]) {
    t.match(await at.carryOut(await oneTask(at)), { outcome: "retrying" });
    t.match(await at.job(), { status: "retrying", error: { code: "provider_unavailable" } });
    t.match(await at.pass(), { status: "pending" });
    const due = (await at.dueIn()) ?? 0;
    t.ok(due >= wait * 0.8 && due <= wait * 1.2, `${due} ms is ${wait} ms ±20 %`);
    at.store.clock.forward(due);
    await at.queue.promoteDue(at.store.clock.nowMs());
  }
  t.match(await at.carryOut(await oneTask(at)), { outcome: "failed" });
  t.match(await at.job(), { status: "failed", attempts: 3, error: { code: "provider_unavailable" } });
  t.equal(await at.letters(), 1);
  t.equal(at.calls.length, 3);
});

t.test("a wallet that names a time is not asked before it", async (t) => {
  const at = await working(t);
  at.refuse("provider_rate_limited", { retryAfterSeconds: 120 });
  t.match(await at.carryOut(await oneTask(at)), { outcome: "retrying" });
  t.equal(await at.dueIn(), 120_000);
});

t.test("what a wallet refuses for good is told with what helps against it", async (t) => {
  const at = await working(t);
  at.refuse("provider_credentials_invalid", { remedy: "Do this." });
  await at.carryOut(await oneTask(at));
  const description = "because of provider_credentials_invalid. Do this.";
  t.match(await at.pass(), { providers: { apple: { error: { description } } } });
});

t.test("work whose turn at a wallet comes later waits for it, and that is no attempt", async (t) => {
  const at = await working(t);
  at.refuse("provider_rate_limited", { turn: { inMs: 90_000, refused: false } });
  for (let round = 1; round <= 2 * jobRetrySchedule.length; round++) {
    const task = await oneTask(at);
    t.equal(task.attempt, 1);
    t.strictSame(await at.carryOut(task), { outcome: "in_line" });
    t.equal(await at.dueIn(), 90_000);
    at.store.clock.forward(90_000);
    await at.queue.promoteDue(at.store.clock.nowMs());
  }
  t.match(await at.job(), { status: "running", attempts: 0, error: null });
});

t.test("a wallet that finds it too much for more than an hour costs attempts", async (t) => {
  const at = await working(t);
  at.refuse("provider_rate_limited", { retryAfterSeconds: 60, turn: { inMs: 60_000, refused: true } });
  t.strictSame(await at.carryOut(await oneTask(at)), { outcome: "in_line" });
  at.store.clock.forward(3_600_001);
  await at.queue.promoteDue(at.store.clock.nowMs());
  t.match(await at.carryOut(await oneTask(at)), {
    ...{ outcome: "retrying", failure: { code: "provider_rate_limited" } },
  });
  t.match(await at.job(), { status: "retrying", attempts: 1 });
});

t.test("a newer version begins at once where the one before it would stand in line", async (t) => {
  const at = await working(t);
  at.refuse("provider_rate_limited", { turn: { inMs: 90_000, refused: false } });
  const task = await oneTask(at);
  await updatePass(at.issuer, {
    ...{ tenantId: at.issuer.tenantId, name: { passId: at.accepted.id }, data: {}, idempotency: null },
    ...{ workClass: "interactive", traceId: "4bf92f3577b34da6a3ce929d0e0e4736" },
  });
  t.strictSame(await at.carryOut(task), { outcome: "overtaken" });
  t.equal((await oneTask(at)).attempt, 1);
});

t.test("a fault of our own is tried again, and shows nothing of the inside", async (t) => {
  const at = await working(t);
  at.reply(() => Promise.reject(new TypeError("secret of the inside")));
  t.match(await at.carryOut(await oneTask(at)), { outcome: "retrying", failure: { code: "internal_error" } });
  t.notMatch(JSON.stringify(await at.job()), /secret of the inside/);
});

t.test("an attempt during which the store is away is nobody's failure", async (t) => {
  const at = await working(t);
  at.refuse("unavailable");
  const task = await oneTask(at);
  const before = await keySpace(at.store);
  await t.rejects(at.carryOut(task), { code: "unavailable" });
  t.strictSame(await keySpace(at.store), before, "the lease is open still");
});

t.test("an attempt that is ended from outside writes nothing", async (t) => {
  const at = await working(t);
  const end = new AbortController();
  at.reply(async (_wallet, signal) => {
    end.abort();
    signal.throwIfAborted();
    return "";
  });
  const task = await oneTask(at);
  const before = await keySpace(at.store);
  await t.rejects(at.carryOut(task, end.signal));
  t.strictSame(await keySpace(at.store), before);
});

t.test("an attempt whose lease was lost meanwhile reports so and writes nothing", async (t) => {
  const at = await working(t);
  const task = await oneTask(at);
  await silence(at.store, task, 60_000);
  await at.queue.reclaimLost();
  const before = await keySpace(at.store);
  t.strictSame(await at.carryOut(task), { outcome: "lost" });
  at.refuse("provider_unavailable");
  t.match(await at.carryOut(task), { outcome: "lost" });
  at.refuse("provider_rejected");
  t.match(await at.carryOut(task), { outcome: "lost" });
  t.strictSame(await keySpace(at.store), before);
});

t.test("a version that the next has overtaken is not brought to the wallet", async (t) => {
  const at = await working(t);
  const { tenantId } = at.issuer;
  const task = await oneTask(at);
  await updatePass(at.issuer, {
    tenantId,
    name: { passId: at.accepted.id },
    data: {},
    idempotency: null,
    workClass: "interactive",
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  });
  t.strictSame(await at.carryOut(task), { outcome: "overtaken" });
  // The next one is in hand now, and waits for nobody.
  await oneTask(at);
  await addJob(at.store, { tenantId });
  t.strictSame(await at.carryOut(await oneTask(at)), { outcome: "overtaken" }, "nor one of no pass");
  t.strictSame(at.calls, []);
  t.match(await at.pass(), { status: "updating", version: 2 });
});

t.test("work that no worker survives ends as a dead letter, not in a circle", async (t) => {
  const at = await working(t);
  for (let attempt = 1; attempt <= jobRetrySchedule.length; attempt++) {
    await silence(at.store, await oneTask(at), 60_000);
    await at.queue.reclaimLost();
  }
  const failure = { code: "worker_lost" };
  t.match(await at.carryOut(await oneTask(at)), { outcome: "failed", failure });
  t.strictSame(at.calls, [], "without another try");
  t.equal(await at.letters(), 1);
  t.match(await at.pass(), { status: "failed", providers: { apple: { error: failure } } });
});

t.test("a tenant whose wallet was taken away since is told so", async (t) => {
  const at = await working(t);
  const { providerConfigurations, tenantId } = at.issuer;
  const [configuration] = await providerConfigurations.list(tenantId);
  if (configuration === undefined) throw new Error("there is no configuration");
  await providerConfigurations.save({ ...configuration, wallet: "apple", enabled: false }, credentials.apple);
  const failure = { code: "provider_credentials_invalid" };
  t.match(await at.carryOut(await oneTask(at)), { outcome: "failed", failure });
  t.equal(await at.letters(), 0);
});

t.test(
  "a revocation that a wallet refuses for good is kept as a dead letter: nobody can ask for it again",
  async (t) => {
    const at = await working(t);
    t.match(await at.carryOut(await oneTask(at)), { outcome: "completed" });
    const { tenantId } = at.issuer;
    const request = { tenantId, idempotency: null, workClass: "interactive", traceId: "t" } as const;
    await revokePass(at.issuer, { ...request, name: { passId: at.accepted.id } });
    at.refuse("provider_rejected");
    t.match(await at.carryOut(await oneTask(at)), { outcome: "failed" });
    t.equal(await at.letters(), 1);
    t.match(await at.pass(), { status: "revoking", providers: { apple: { status: "failed" } } });
  },
);
