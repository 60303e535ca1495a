import { randomUUID } from "node:crypto";
import t, { type Test } from "tap";
import { exceptOfGoneTenants } from "../../src/domain/tenants/gone-work.ts";
import { deleteTenant } from "../../src/domain/tenants/remove.ts";
import { createApplicationStore } from "../../src/redis/applications.ts";
import { createDeliveryStore } from "../../src/redis/deliveries.ts";
import { createStandingCheck, createTenantGoneCheck } from "../../src/redis/standings.ts";
import { createDropTask, createTenantRemoval } from "../../src/redis/tenant-removal.ts";
import { type Issuer, keyOf, openIssuer } from "../support/issuer.ts";
import { keySpace } from "../support/key-space.ts";
import { openOutbox } from "../support/outbox.ts";
import { keysOf, openStore, type TestStore } from "../support/store.ts";
import { addJob, claimOf, completed, depth, failed, openQueue, settle } from "../support/work.ts";

/** A tenant with something in every place where the store keeps things of tenants. */
async function openBusyTenant(store: TestStore): Promise<Issuer> {
  const issuer = await openIssuer(store);
  const { tenantId } = issuer;
  const queue = await openQueue(store);
  const applications = createApplicationStore(store);
  for (const name of ["shop", "till"]) {
    const id = store.ids.beside(tenantId);
    await applications.create({
      id,
      tenantId,
      name,
      type: "backend",
      status: "active",
      secrets: [],
      createdAtMs: 1,
    });
  }
  await issuer.subscribe("pass.created");
  const failure = { code: "http_503", description: "answered 503" };
  const attempt = { number: 1, atMs: 0, statusCode: 503, durationMs: 1, error: "answered 503" };
  const deliveries = createDeliveryStore(store);
  // Done, failed with a dead letter, and put off; a delivery of each kind.
  for (const [index, outcome] of [
    completed,
    failed("provider_unavailable", { bury: true }),
    null,
  ].entries()) {
    await issuer.create({ idempotency: keyOf(`k${index}`, {}) });
    for (const task of await claimOf(queue, issuer)) {
      if (outcome === null) await queue.retryLater(task, failure, 1e15);
      else await settle(store, task, outcome);
    }
    await openOutbox(store).fanOut(10);
    const next = [{ delivered: true } as const, { dueAtMs: null, failure }, { dueAtMs: 1e15, failure }][
      index
    ];
    for (const task of await claimOf(queue, issuer)) if (next) await deliveries.settle(task, attempt, next);
  }
  // In hand of a worker, waiting, and an event before the fan-out.
  await issuer.create();
  await claimOf(queue, issuer);
  await issuer.create();
  return issuer;
}

function removalOf(store: TestStore) {
  return {
    // So that a small store takes many steps.
    tenantRemoval: createTenantRemoval(store, { stepSize: 7 }),
    untilKnown: async () => {},
  };
}

/** Everything in the store that says the tenant's id: in a key or in what is kept under it. */
async function tracesOf(store: TestStore, tenantId: string): Promise<string[]> {
  const everything = await keySpace(store);
  return Object.entries(everything)
    .filter((entry) => JSON.stringify(entry).includes(tenantId))
    .map(([key]) => key);
}

/** The application and page keys, which bear ids of their own. */
async function ownIdsOf(store: TestStore, kind: "application" | "page"): Promise<string[]> {
  return (await keysOf(store)).filter((key) => key.includes(`:${kind}:`));
}

async function withTwoTenants(t: Test) {
  // One partition: everything that tenants can share, these two share.
  const store = await openStore(t, { partitions: 1 });
  const doomed = await openBusyTenant(store);
  const spared = await openBusyTenant(store);
  return { store, doomed, spared };
}

t.test("of a deleted tenant nothing is left in the whole key space, and of another everything", async (t) => {
  const { store, doomed, spared } = await withTwoTenants(t);
  const before = await keySpace(store);
  t.ok((await tracesOf(store, doomed.tenantId)).length > 40, "there is a lot to remove");
  t.equal((await ownIdsOf(store, "application")).length, 4);
  t.equal((await ownIdsOf(store, "page")).length, 10);

  const steps: number[] = [];
  const { removed } = await deleteTenant({ ...doomed, ...removalOf(store) }, doomed.tenantId, (count) =>
    steps.push(count),
  );
  t.strictSame(await tracesOf(store, doomed.tenantId), []);
  t.equal((await ownIdsOf(store, "application")).length, 2);
  t.equal((await ownIdsOf(store, "page")).length, 5);
  t.ok(removed > 50, `${removed} records`);
  t.strictSame(
    steps,
    steps.toSorted((a, b) => a - b),
    "progress only grows",
  );

  const after = await keySpace(store);
  const own = Object.keys(before).filter((key) => key.includes(spared.tenantId));
  for (const key of own) t.strictSame(after[key], before[key], key);
  t.strictSame(await tracesOf(store, spared.tenantId), tracesIn(before, spared.tenantId));
  t.equal(await doomed.tenants.find(doomed.tenantId), null);
  t.equal((await doomed.tenants.list({ page: 1, pageSize: 10 })).total, 1);
});

function tracesIn(everything: Record<string, unknown>, tenantId: string): string[] {
  return Object.keys(everything).filter((key) => JSON.stringify([key, everything[key]]).includes(tenantId));
}

t.test("the other tenant's work goes on: what waits, what is in hand, and what is put off", async (t) => {
  const { store, doomed, spared } = await withTwoTenants(t);
  await deleteTenant({ ...doomed, ...removalOf(store) }, doomed.tenantId);
  const queue = await openQueue(store);
  t.equal((await claimOf(queue, spared)).length, 2, "both wallets of the pass that waited");
  const { promoted } = await queue.promoteDue(1e15);
  t.equal(promoted, 3, "two wallets and a delivery");
  t.equal(await openOutbox(store).fanOut(10), 2);
});

t.test("an interrupted deletion has shut the tenant out, and goes on where it is begun again", async (t) => {
  const { store, doomed } = await withTwoTenants(t);
  const { tenantId } = doomed;
  for (const stopAfter of [1, 2]) {
    let sweeps = 0;
    const { tenantRemoval } = removalOf(store);
    const broken = {
      ...tenantRemoval,
      sweep: async (...args: Parameters<typeof tenantRemoval.sweep>) => {
        if (++sweeps > stopAfter) throw new Error("the operator's machine is gone");
        return tenantRemoval.sweep(...args);
      },
    };
    await t.rejects(
      deleteTenant({ ...doomed, ...removalOf(store), tenantRemoval: broken }, tenantId),
      /gone/,
    );
    t.match(await doomed.tenants.find(tenantId), { status: "deleting" });
    t.equal((await doomed.tenants.list({ page: 1, pageSize: 10 })).total, 2, "operators still see it");
  }
  await deleteTenant({ ...doomed, ...removalOf(store) }, tenantId);
  t.strictSame(await tracesOf(store, tenantId), []);
  await t.rejects(deleteTenant({ ...doomed, ...removalOf(store) }, tenantId), { code: "not_found" });
});

t.test("what somebody writes while it is deleted is removed, too", async (t) => {
  const { store, doomed } = await withTwoTenants(t);
  await deleteTenant(
    {
      ...doomed,
      ...removalOf(store),
      async untilKnown() {
        await addJob(store, { tenantId: doomed.tenantId });
        await doomed.subscribe("pass.created");
      },
    },
    doomed.tenantId,
  );
  t.strictSame(await tracesOf(store, doomed.tenantId), []);
});

t.test("tokens of a tenant that is being deleted are nobody's", async (t) => {
  const store = await openStore(t);
  const issuer = await openIssuer(store);
  const { tenantId } = issuer;
  const applications = createApplicationStore(store);
  const applicationId = store.ids.beside(tenantId);
  await applications.create({
    ...{ id: applicationId, tenantId, name: "shop", type: "backend", status: "active" },
    secrets: [],
    createdAtMs: 1,
  });
  const standing = () => createStandingCheck({ ...issuer, applications })({ tenantId, applicationId });
  t.equal(await standing(), "good");
  await issuer.tenants.setStatus(tenantId, "suspended");
  t.equal(await standing(), "tenant_suspended");
  await issuer.tenants.setStatus(tenantId, "deleting");
  t.equal(await standing(), "gone");
});

t.test("a worker drops the work of a tenant that is being deleted, and does that of others", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const [doomed, spared] = [await openIssuer(store), await openIssuer(store)];
  for (const issuer of [doomed, spared]) await issuer.create();
  await doomed.tenants.setStatus(doomed.tenantId, "deleting");
  const queue = await openQueue(store);
  const done: string[] = [];
  const handle = exceptOfGoneTenants(
    { tenantIsGone: createTenantGoneCheck(doomed.tenants), dropTask: createDropTask(store) },
    async (task) => ({ outcome: done.push(task.tenantId) && "completed" }),
  );
  const tasks = await queue.claim([0], 10);
  t.equal(tasks.length, 4);
  const { signal } = new AbortController();
  const reports = await Promise.all(
    tasks.map(async (task) => `${task.tenantId} ${(await handle(task, signal)).outcome}`),
  );
  t.strictSame(done, [spared.tenantId, spared.tenantId]);
  // The second lane finds its record gone with the first.
  t.strictSame(reports.filter((report) => report.startsWith(doomed.tenantId)).toSorted(), [
    `${doomed.tenantId} gone`,
    `${doomed.tenantId} lost`,
  ]);
  const jobs = (await keysOf(store)).filter((key) => key.includes(`${doomed.tenantId}:job:`));
  t.strictSame(jobs, []);
  t.ok((await depth(store, 0)).pending <= 3, "and what it held is given back");
});

t.test("a late result of work that was in hand is refused, and leaves nothing", async (t) => {
  const store = await openStore(t);
  const doomed = await openBusyTenant(store);
  const queue = await openQueue(store, { consumer: randomUUID() });
  const tasks = await claimOf(queue, doomed);
  t.ok(tasks.length > 0);
  await deleteTenant({ ...doomed, ...removalOf(store) }, doomed.tenantId);
  for (const task of tasks) {
    t.equal(await settle(store, task, completed), false);
    t.equal(await queue.retryLater(task, { code: "x", description: "x" }, 1), false);
  }
  t.strictSame(new Set(await queue.renew(tasks)), new Set(tasks), "the heartbeat hears of it");
  await queue.handBack(tasks);
  t.strictSame(await tracesOf(store, doomed.tenantId), []);
});
