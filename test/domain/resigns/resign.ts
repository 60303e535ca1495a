import t, { type Test } from "tap";
import type { PushAnswer } from "../../../src/domain/devices/push.ts";
import { PasswrightError } from "../../../src/domain/errors.ts";
import { revokePass } from "../../../src/domain/passes/revoke.ts";
import { credentials } from "../../support/issuer.ts";
import { openResigns } from "../../support/resigns.ts";
import { openStore } from "../../support/store.ts";

const later: PushAnswer = { outcome: "later", reason: "ServiceUnavailable", retryAfterSeconds: null };
const unreachable = () => Promise.reject(new PasswrightError("provider_unavailable", "APNs is away."));

/** Passes on that many phones each. */
async function passesOn(t: Test, phones: readonly number[]) {
  const store = await openStore(t);
  const at = await openResigns(store);
  const passes: string[] = [];
  for (const count of phones) passes.push(await at.newPass(count));
  return { store, ...at, passes };
}

t.test("passes on phones are to be fetched again, and stay as they are; others are left alone", async (t) => {
  const at = await passesOn(t, [2, 0, 1]);
  const before = await Promise.all(at.passes.map(at.pass));
  const worker = at.process();
  const task = await worker.start();
  t.match(task, { status: "running", passes: 3, heldBy: null });
  t.equal(await worker.drive(await worker.take(task.id)), "finished");
  t.match(await worker.look(task.id), {
    status: "completed",
    count: { looked_at: 3, renewed: 2, devices: 3, untold: 0 },
  });
  t.equal(worker.pushed.length, 3);
  const after = await Promise.all(at.passes.map(at.pass));
  for (const [index, isOnPhones] of [true, false, true].entries()) {
    const [was, is] = [before[index], after[index]];
    if (was == null || is == null) return t.fail("a pass is gone");
    const { change, modifiedAtMs, ...rest } = is;
    const { change: changeBefore, modifiedAtMs: modifiedBefore, ...restBefore } = was;
    t.strictSame(rest, restBefore, "nothing else of it changes");
    t.equal(change > changeBefore, isOnPhones);
    t.equal(modifiedAtMs > modifiedBefore, isOnPhones);
  }
  t.strictSame(await at.said(), ["ada@host providers.resign started", "ada@host providers.resign done"]);
  return;
});

t.test("a revoked pass is left alone: it is void on its phones", async (t) => {
  const at = await passesOn(t, [1, 1]);
  const request = {
    tenantId: at.tenantId,
    idempotency: null,
    workClass: "interactive",
    traceId: "t",
  } as const;
  await revokePass(at.issuer, { ...request, name: { passId: at.passes[0] ?? "" } });
  const worker = at.process();
  t.strictSame(await worker.resignTasks.survey(at.tenantId), { passes: 2, inWallet: 1, devices: 1 });
  const task = await worker.start();
  await worker.drive(await worker.take(task.id));
  t.match(await worker.look(task.id), { count: { looked_at: 2, renewed: 1, devices: 1 } });
});

t.test(
  "a worker that is killed anywhere is followed by one that leaves out no pass and marks none twice",
  async (t) => {
    const at = await passesOn(
      t,
      Array.from({ length: 60 }, (_, index) => index % 3),
    );
    const changes = async () => {
      const passes = await Promise.all(at.passes.map(at.pass));
      return passes.reduce((sum, pass) => sum + (pass?.change ?? 0), 0);
    };
    const { id } = await at.process().start(30);
    // Each worker dies at a push, later and later, with others of the same step on the way.
    let died = 0;
    const pushed = new Set<string>();
    for (let life = 0; ; life += 1) {
      let pushes = 0;
      const dying = at.process({
        through: await at.store.another(),
        holder: `worker:${life}`,
        push: async () => {
          pushes += 1;
          if (pushes > life) throw new PasswrightError("unavailable", "killed");
          return { outcome: "sent" };
        },
      });
      const outcome = await dying.drive(await dying.take(id)).catch(() => "died");
      for (const token of dying.pushed) pushed.add(token);
      if (outcome === "finished") break;
      died += 1;
      at.store.clock.forward(5000);
    }
    t.ok(died >= 5, `${died} died`);
    t.match(await at.process().look(id), {
      status: "completed",
      count: { looked_at: 60, renewed: 40, devices: 60, untold: 0 },
    });
    t.equal(pushed.size, 60, "every phone was told");
    t.equal(await changes(), (40 * 41) / 2, "40 changes, numbered from 1");
  },
);

t.test("a worker that was given up and wakes up again can mark nothing", async (t) => {
  const at = await passesOn(t, [1, 1, 1]);
  const [asleep, next] = [at.process({ holder: "host:1" }), at.process({ holder: "host:2" })];
  const { id } = await asleep.start();
  const held = await asleep.take(id);
  t.equal(await asleep.resignTasks.open(held), true);
  at.store.clock.forward(5000);
  const taken = await next.take(id);
  t.equal(await next.resignTasks.open(taken), true);
  t.strictSame(await asleep.resignTasks.step(held, { most: 1, told: null }), { outcome: "lost" });
  t.equal(await asleep.drive(held), "lost");
  t.equal(await next.drive(taken), "finished");
  t.match(await next.look(id), { count: { renewed: 3 } });
});

t.test("the rate is kept to", async (t) => {
  const at = await passesOn(
    t,
    Array.from({ length: 30 }, () => 1),
  );
  const worker = at.process();
  const { id } = await worker.start(10);
  const beganMs = at.store.clock.nowMs();
  await worker.drive(await worker.take(id));
  const tookMs = at.store.clock.nowMs() - beganMs;
  t.ok(tookMs >= 2900 && tookMs < 3100, `30 passes took ${tookMs} ms`);
});

t.test("it begins when every process has seen the new credentials", async (t) => {
  const at = await passesOn(t, [1]);
  const { providerConfigurations, tenantId } = at.issuer;
  const [configuration] = await providerConfigurations.list(tenantId);
  if (configuration === undefined) return t.fail("there is no configuration");
  const updatedAtMs = at.store.clock.nowMs() - 1000;
  await providerConfigurations.save({ ...configuration, wallet: "apple", updatedAtMs }, credentials.apple);
  const worker = at.process();
  const { id } = await worker.start();
  await worker.drive(await worker.take(id));
  t.strictSame(worker.paused, [4000]);
  return;
});

t.test("while APNs is away it waits, says so, and goes on where it was", async (t) => {
  const at = await passesOn(t, [1, 1]);
  let isAway = true;
  let seen: unknown;
  const worker = at.process({
    push: () => (isAway ? unreachable() : Promise.resolve({ outcome: "sent" })),
    async meanwhile() {
      seen = await worker.look(id);
      if (worker.paused.length === 8) isAway = false;
    },
  });
  const { id } = await worker.start();
  t.equal(await worker.drive(await worker.take(id)), "finished");
  t.strictSame(worker.paused, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  t.match(seen, { status: "running", trouble: "APNs is away." });
  t.match(await worker.look(id), { status: "completed", trouble: null, count: { renewed: 2, untold: 0 } });
  t.equal(worker.pushed.length, 2);
});

t.test("a phone for which APNs has no answer does not hold up the others", async (t) => {
  const at = await passesOn(t, [1, 1, 1]);
  const sick = at.passes[1] ?? "";
  const worker = at.process({ push: async (token) => (token.includes(sick) ? later : { outcome: "sent" }) });
  const { id } = await worker.start();
  await worker.drive(await worker.take(id));
  t.match(await worker.look(id), { status: "completed", count: { renewed: 3, untold: 1 } });
  t.strictSame(worker.paused, [1000, 2000]);
});

t.test(
  "credentials that APNs refuses, or that are taken away, end it as failed, with the reason",
  async (t) => {
    const at = await passesOn(t, [1]);
    const refused = new PasswrightError(
      "provider_credentials_invalid",
      "APNs refuses the credentials: revoked.",
    );
    const worker = at.process({ push: () => Promise.reject(refused) });
    const first = await worker.start();
    t.equal(await worker.drive(await worker.take(first.id)), "finished");
    t.match(await worker.look(first.id), { status: "failed", trouble: /APNs refuses the credentials/ });

    const second = await worker.start();
    await at.issuer.providerConfigurations.remove(at.tenantId, "apple");
    await worker.drive(await worker.take(second.id));
    t.match(await worker.look(second.id), { status: "failed", trouble: /no enabled configuration/ });
    const ends = (await at.said()).filter((line) => !line.endsWith("started"));
    t.strictSame(ends, Array(2).fill("ada@host providers.resign failed"));
  },
);

t.test("a fault of our own ends it, too: it is not tried in a circle", async (t) => {
  const at = await passesOn(t, [1]);
  const worker = at.process({ push: () => Promise.reject(new TypeError("of the inside")) });
  const { id } = await worker.start();
  await worker.drive(await worker.take(id));
  t.match(await worker.look(id), { status: "failed", trouble: "The attempt failed for an unknown reason." });
});

t.test("what is cancelled ends where it is, whoever does it, and can be begun anew", async (t) => {
  const at = await passesOn(t, [1, 1, 1]);
  const worker = at.process({
    meanwhile: async () => {
      if (worker.paused.length === 2) await at.process({ holder: "terminal:1" }).cancel();
    },
  });
  const { id } = await worker.start(1);
  t.equal(await worker.drive(await worker.take(id)), "lost");
  t.match(await worker.look(id), { status: "cancelled", cancelledBy: "eve@host" });
  await t.rejects(worker.cancel(), { code: "invalid_state", detail: /it is cancelled/ });
  t.match(await worker.start(), { status: "running" });
  t.match(await at.said(), [
    "ada@host providers.resign started",
    "eve@host providers.resign done",
    "eve@host providers.resign cancelled",
    "ada@host providers.resign started",
  ]);
});

t.test("a worker that is told to stop lets it go, and the next goes on", async (t) => {
  const at = await passesOn(t, [1, 1, 1, 1]);
  const stopping = new AbortController();
  const worker = at.process({ meanwhile: async () => worker.paused.length === 2 && stopping.abort() });
  const { id } = await worker.start(1);
  t.equal(await worker.drive(await worker.take(id), stopping.signal), "left");
  t.match(await worker.look(id), { status: "running", heldBy: null });
  const next = at.process({ holder: "host:2" });
  t.equal(await next.drive(await next.take(id)), "finished");
  t.match(await next.look(id), { count: { renewed: 4, devices: 4 } });
  t.equal(new Set([...worker.pushed, ...next.pushed]).size, 4);
});

t.test("a second one of the tenant is the first one still", async (t) => {
  const at = await passesOn(t, [1]);
  const process = at.process();
  const first = await process.start();
  t.equal((await process.start(7)).id, first.id);
  t.match(await process.resignTasks.latest(at.tenantId), { id: first.id, rate: null });
});

t.test("what could only be fetched in vain is not begun", async (t) => {
  const store = await openStore(t);
  const at = await openResigns(store);
  const { providerConfigurations } = at.issuer;
  await t.rejects(at.process().start(), { code: "not_found", detail: /has no passes/ });
  await at.newPass(1);
  const expired = new PasswrightError("invalid_configuration", "The certificate expired.");
  await t.rejects(at.process({ checkCredentials: () => Promise.reject(expired) }).start(), expired);
  await providerConfigurations.setEnabled({ tenantId: at.tenantId, wallet: "apple" }, false, 0);
  await t.rejects(at.process().start(), { code: "invalid_state", detail: /providers enable apple/ });
  await providerConfigurations.remove(at.tenantId, "apple");
  await t.rejects(at.process().start(), { code: "not_found", detail: /providers set apple/ });
  await t.rejects(at.process().cancel(), { code: "not_found" });
  t.strictSame(await at.said(), []);
});
