import t, { type Test } from "tap";
import type { Task } from "../../../src/domain/jobs/work.ts";
import { createDeliveryStore } from "../../../src/redis/deliveries.ts";
import { openIssuer } from "../../support/issuer.ts";
import { keySpace } from "../../support/key-space.ts";
import { openOutbox } from "../../support/outbox.ts";
import { openStore, type TestStore } from "../../support/store.ts";
import { claimOf, completed, failed, openQueue, settle, silence } from "../../support/work.ts";

const leaseMs = 60_000;
const failure = { code: "provider_unavailable", description: "away" };

/** A worker that fell silent and lost its task, and the worker that has it now. */
async function lostTask(t: Test, what: "job" | "delivery") {
  const store = await openStore(t);
  const issuer = await openIssuer(store, { wallets: ["apple"] });
  if (what === "delivery") await issuer.subscribe("pass.created");
  await issuer.create();
  const silent = await openQueue(store, { consumer: "silent", leaseMs });
  const heir = await openQueue(store, { consumer: "heir", leaseMs, through: await store.another() });
  let taken = await claimOf(silent, issuer);
  if (what === "delivery") {
    await openOutbox(store).fanOut(10);
    taken = await claimOf(silent, issuer);
  }
  const [lost] = taken;
  if (lost === undefined) throw new Error("there is no work");
  await silence(store, lost, leaseMs);
  await heir.reclaimLost();
  const [held] = await claimOf(heir, issuer);
  if (held === undefined) throw new Error("nothing was reclaimed");
  return { store, silent, lost, held };
}

type Situation = { store: TestStore; silent: Awaited<ReturnType<typeof openQueue>> };
const jobOperations: [name: string, attempt: (at: Situation, lost: Task) => Promise<boolean>][] = [
  ["completed", ({ store }, lost) => settle(store, lost, completed)],
  ["failed", ({ store }, lost) => settle(store, lost, failed("provider_rejected", { bury: true }))],
  ["overtaken", ({ store }, lost) => settle(store, lost, { outcome: "overtaken" })],
  ["put off", ({ silent }, lost) => silent.retryLater(lost, failure, 1)],
];
for (const [name, attempt] of jobOperations) {
  t.test(`who lost the lease of a job cannot report it as ${name}`, async (t) => {
    const at = await lostTask(t, "job");
    const before = await keySpace(at.store);
    t.equal(await attempt(at, at.lost), false);
    t.strictSame(await keySpace(at.store), before);
    t.equal(await attempt(at, at.held), true, "who holds it can");
  });
}

const number = 1;
const answered = { number, atMs: 0, statusCode: 200, durationMs: 5, error: null };
const deliveryOperations = [
  ["delivered", { delivered: true }],
  ["to be retried", { dueAtMs: 5, failure }],
  ["given up", { dueAtMs: null, failure }],
] as const;
for (const [name, next] of deliveryOperations) {
  t.test(`who lost the lease of a delivery cannot report it as ${name}`, async (t) => {
    const { store, lost, held } = await lostTask(t, "delivery");
    const deliveries = createDeliveryStore(store);
    const before = await keySpace(store);
    t.equal(await deliveries.settle(lost, answered, next), false);
    t.strictSame(await keySpace(store), before);
    t.equal(await deliveries.settle(held, answered, next), true, "who holds it can");
  });
}

t.test("who lost the lease cannot hand the work back", async (t) => {
  const { store, silent, lost, held } = await lostTask(t, "job");
  const before = await keySpace(store);
  await silent.handBack([lost]);
  t.strictSame(await keySpace(store), before);
  t.ok(await settle(store, held, completed), "who has it now is not disturbed");
});

t.test("who lost the lease learns it when renewing, and renews nothing", async (t) => {
  const { store, silent, lost, held } = await lostTask(t, "job");
  const before = await keySpace(store);
  t.strictSame(await silent.renew([lost]), [lost]);
  t.strictSame(await keySpace(store), before);
  t.strictSame(await silent.renew([held]), [], "a lease that is held is renewed");
});

t.test("a settled task can be settled no second time", async (t) => {
  const { store, held, silent } = await lostTask(t, "job");
  await settle(store, held, completed);
  const before = await keySpace(store);
  t.equal(await settle(store, held, failed("provider_rejected")), false);
  t.equal(await silent.retryLater(held, failure, 1), false);
  await silent.handBack([held]);
  t.strictSame(await silent.renew([held]), [held]);
  t.strictSame(await keySpace(store), before);
});
