import t, { type Test } from "tap";
import { noTimes } from "../../src/domain/jobs/work-times.ts";
import { createTenant } from "../../src/domain/tenants/create.ts";
import { createBreakers } from "../../src/redis/breakers.ts";
import { createJobHistory } from "../../src/redis/job-history.ts";
import { createQueueDepth } from "../../src/redis/queue-depth.ts";
import { createQueueLook } from "../../src/redis/queue-look.ts";
import { createReplayTaskStore } from "../../src/redis/replay-tasks.ts";
import { createRequestCounter } from "../../src/redis/request-counter.ts";
import { createStoreHealth } from "../../src/redis/store-health.ts";
import { createTenantFigures } from "../../src/redis/tenant-figures.ts";
import { createTenantStore } from "../../src/redis/tenants.ts";
import { createWorkerRoll } from "../../src/redis/worker-roll.ts";
import type { Page, Place, Tab } from "../../src/tui/page.ts";
import { createPages } from "../../src/tui/read-page.ts";
import { openDeadLetters } from "../support/dead-letters.ts";
import { openJobs } from "../support/jobs.ts";
import { openStore, type TestStore } from "../support/store.ts";
import { openSubscriber } from "../support/webhooks.ts";
import { addJob, openQueue } from "../support/work.ts";

/** The pages over real stores, by the store's clock. */
async function opened(t: Test, given?: TestStore) {
  const store = given ?? (await openStore(t));
  const tenants = createTenantStore(store);
  const subscriber = openSubscriber(store);
  const dead = openDeadLetters(store);
  const nowMs = () => store.clock.nowMs();
  const read = createPages({
    ...{ tenants, nowMs, leaseMs: 15_000 },
    webhooks: subscriber.webhooks,
    deliveries: subscriber.deliveries,
    deadLetters: dead.deadLetters,
    replayTasks: createReplayTaskStore(store, { clock: store.clock, holder: "test:1" }),
    breakers: createBreakers(store, { parkLimitMs: 3_600_000 }),
    jobHistory: createJobHistory(store, store.clock),
    queueLook: createQueueLook(store),
    readQueueDepth: createQueueDepth(store),
    readStoreHealth: createStoreHealth(store),
    tenantFigures: createTenantFigures(store),
  });
  const at = (tab: Tab, rest: Partial<Place> = {}) =>
    read({ tab, path: [], scope: null, choice: null, stretch: 0, ...rest });
  return { store, tenants, subscriber, dead, at, roll: createWorkerRoll };
}

function texts(page: Page): string {
  return [
    ...page.facts.map(({ name, text }) => `${name}: ${text}`),
    ...page.rows.map(({ cells }) => cells.join(" | ")),
    ...(page.lines ?? []),
  ].join("\n");
}

t.test("an empty installation has pages that say so", async (t) => {
  const { at } = await opened(t);
  t.match(texts(await at("overview")), /Workers: 0 alive/);
  t.match((await at("workers")).empty, /passwright worker/);
  t.match((await at("dead letters")).empty, /Well done/);
  for (const tab of ["jobs", "workers", "webhooks", "dead letters", "tenants"] as const) {
    t.strictSame((await at(tab)).rows, [], tab);
  }
});

t.test("the overview counts each class and says how much is taken in a second", async (t) => {
  const { store, subscriber, at } = await opened(t);
  const { tenantId } = subscriber;
  for (let index = 0; index < 3; index += 1) await addJob(store, { tenantId });
  t.match(texts(await at("overview")), /interactive \| 3 \| 0 \| 0 \| .* \| - \| 0/);
  const queue = await openQueue(store);
  await queue.claim([subscriber.partition], 2);
  store.clock.forward(1000);
  t.match(texts(await at("overview")), /interactive \| 1 \| 2 \| 0 \| .* \| 2\.0 \| 0/);
});

t.test("what is in the queue is shown in its states, and with its trace and its lanes", async (t) => {
  const { store, subscriber, at } = await opened(t);
  const { tenantId } = subscriber;
  const id = await addJob(store, { tenantId });
  await addJob(store, { tenantId: store.ids.uuid() });
  const { rows } = await at("jobs");
  t.equal(rows.length, 2);
  const row = rows.find(({ cells }) => cells.includes(id));
  t.match(row?.cells, ["ready", "interactive", "job", "apple", "-", tenantId, id]);
  const detail = texts(await at("jobs", { path: [row?.id ?? ""] }));
  t.match(detail, /trace id +4bf92f3577b34da6a3ce929d0e0e4736/);
  t.match(detail, /ATTEMPTS\napple: queued, 0 attempts/);
  await (await openQueue(store)).claim([subscriber.partition], 1);
  t.equal((await at("jobs", { choice: "active" })).rows.length, 1);
  t.equal((await at("jobs", { choice: "delayed" })).rows.length, 0);
});

t.test("of a tenant that is chosen the jobs are shown, whatever became of them, by status", async (t) => {
  const jobs = await openJobs(await openStore(t, { partitions: 2 }), { wallets: ["apple"] });
  const { store, tenantId } = jobs;
  const { at } = await opened(t, store);
  const failed = await jobs.failPass();
  const queued = await jobs.createPass();
  const scope = { id: tenantId, name: "Acme" };
  const all = await at("jobs", { scope });
  t.strictSame(
    all.rows.map(({ cells }) => [cells[0], cells[1], cells.at(-1)]),
    [
      ["queued", "pass.create", queued],
      ["failed", "pass.create", failed],
    ],
  );
  t.strictSame(all.choices, ["queued", "running", "retrying", "completed", "failed", "cancelled"]);
  const only = await at("jobs", { scope, choice: "failed" });
  t.match(only.rows, [{ tone: "bad", cells: ["failed"] }]);
  t.match(
    texts(await at("jobs", { scope, path: [only.rows[0]?.id ?? ""] })),
    /apple: failed, 1 attempts, dead letter/,
  );
  t.strictSame((await at("jobs", { scope: { id: store.ids.uuid(), name: "Other" } })).rows, []);
});

t.test("the overview says what the work of all workers took in the last minute", async (t) => {
  const { store, at, roll } = await opened(t);
  const nowMs = () => store.clock.nowMs();
  t.match(texts(await at("overview")), /Starts, p50 p99: interactive - · webhooks - · bulk -/);
  for (const consumer of ["one:1:a", "two:2:b"]) {
    const times = noTimes();
    times.interactive = { started: [0, 0, 0, 0, 0, 0, 9], done: [...Array(14).fill(0), 10] };
    await roll(store, { consumer, nowMs }).beat(times);
  }
  t.match(texts(await at("overview")), /Starts, p50 p99: interactive 7ms 8ms · webhooks - /);
  t.match(texts(await at("overview")), /Done, p50 p99: interactive 10\dms 128ms/);
});

t.test(
  "a worker is shown with its last beat and what it has in hand, and how long its leases last",
  async (t) => {
    const { store, subscriber, at, roll } = await opened(t);
    const consumer = "host.example:42:0199d1c5";
    const present = roll(store, { consumer, nowMs: () => store.clock.nowMs() });
    await present.beat(noTimes());
    await addJob(store, { tenantId: subscriber.tenantId });
    await (await openQueue(store, { consumer })).claim([subscriber.partition], 1);
    store.clock.forward(3000);
    const { rows } = await at("workers");
    t.match(rows, [{ cells: ["host.example", "42", "3.0s", "1", "0", "0", /^1[45]s$/] }]);
    t.match(texts(await at("workers", { path: [consumer] })), /interactive \| job \| apple \| 1[45]/);
    await present.leave();
    t.strictSame((await at("workers")).rows, []);
  },
);

t.test("a worker that was silent for an hour is forgotten by the next that shows itself", async (t) => {
  const { store, at, roll } = await opened(t);
  const nowMs = () => store.clock.nowMs();
  await roll(store, { consumer: "old:1:a", nowMs }).beat(noTimes());
  store.clock.forward(3_600_000);
  await roll(store, { consumer: "new:2:b", nowMs }).beat(noTimes());
  t.match((await at("workers")).rows, [{ id: "new:2:b" }]);
});

t.test("webhooks show their health, their deliveries, and what each attempt was answered", async (t) => {
  const { subscriber, dead, at } = await opened(t);
  const webhook = await subscriber.subscribe();
  await dead.killDelivery(subscriber, [500, 503]);
  const scope = { id: subscriber.tenantId, name: "Acme" };
  const [row] = (await at("webhooks", { scope })).rows;
  t.equal(row?.cells[4], webhook.url);
  const path = [row?.id ?? ""];
  const page = await at("webhooks", { path });
  t.match(page.rows[0]?.cells, ["dead_lettered", "pass.created", "2", "503", "12 ms"]);
  const delivery = texts(await at("webhooks", { path: [...path, page.rows[0]?.id ?? ""] }));
  t.match(delivery, /1\. .*500 .*\n2\. .*503 .*answered 503/);
  t.match(delivery, `REQUEST of attempt 2\nPOST ${webhook.url}\nContent-Type: application/json`);
  t.match(delivery, /X-Service-Event: pass\.created\nX-Service-Delivery: [0-9a-f-]{36}\n/);
  t.match(delivery, /X-Service-Signature: sha256=\(not shown\)/);
});

t.test("dead letters are counted by reason, newest first, and one by one in full", async (t) => {
  const { subscriber, dead, at } = await opened(t);
  await subscriber.subscribe();
  for (const code of [503, 503, 404]) await dead.killDelivery(subscriber, [code]);
  const page = await at("dead letters");
  t.match(page.facts, [
    { name: "http_503", text: /^█{13} 2$/ },
    { name: "http_404", text: /^█{7} 1$/ },
    { name: "Shown", text: "all 3" },
  ]);
  t.strictSame(
    page.rows.map(({ cells }) => cells[1]),
    ["http_404", "http_503", "http_503"],
  );
  t.equal((await at("dead letters", { choice: "http_404" })).rows.length, 1);
  t.match(texts(await at("dead letters", { path: [page.rows[0]?.id ?? ""] })), /answered 404/);
  for (const letter of await dead.list()) await dead.deadLetters.purge(letter);
  t.strictSame(
    (await at("dead letters")).facts,
    [{ name: "Shown", text: "all 0" }],
    "counts go with the letters",
  );
});

t.test("tenants are shown with what they can still create", async (t) => {
  const { store, tenants, at } = await opened(t);
  await createTenant({ ...store, tenants }, { name: "Prepaid", billing: { mode: "prepaid", credits: 0 } });
  await createTenant(
    { ...store, tenants },
    { name: "Contract", billing: { mode: "contract", monthlyCap: 7 } },
  );
  const requests = createRequestCounter(store, store.clock);
  const [prepaid = ""] = (await at("tenants")).rows.flatMap(({ id, cells }) =>
    cells[0] === "Prepaid" ? id : [],
  );
  for (let each = 0; each < 40; each += 1) requests.count(prepaid);
  await requests.write();
  const { rows } = await at("tenants");
  t.match(rows.map(({ cells }) => cells.slice(0, 6).join(" | ")).sort(), [
    "Contract | active | 7 of 7 | 0 | 0 | 0",
    "Prepaid | active | 0 | 0 | 0 | 40",
  ]);
  t.equal(rows.find(({ cells }) => cells[0] === "Prepaid")?.tone, "bad");
});
