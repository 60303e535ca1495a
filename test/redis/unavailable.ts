import t, { type Test } from "tap";
import { createApplicationStore } from "../../src/redis/applications.ts";
import { createAuditLog } from "../../src/redis/audit.ts";
import { createBreakers } from "../../src/redis/breakers.ts";
import { createDeliveryStore } from "../../src/redis/deliveries.ts";
import { openInstallation } from "../../src/redis/installation.ts";
import { createJobStore } from "../../src/redis/jobs.ts";
import { createTokenRateLimiter } from "../../src/redis/rate-limiter.ts";
import { createSigningKeyStore } from "../../src/redis/signing-keys.ts";
import { createDropTask, createTenantRemoval } from "../../src/redis/tenant-removal.ts";
import { createTurns } from "../../src/redis/turns.ts";
import { createWebhookStore } from "../../src/redis/webhooks.ts";
import { keyOf, openIssuer, passOf } from "../support/issuer.ts";
import { openOutbox } from "../support/outbox.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { openReplays } from "../support/replays.ts";
import { openStore, testRedisUrl } from "../support/store.ts";
import { openProxy } from "../support/tcp-proxy.ts";
import { until } from "../support/until.ts";
import { claimOf, completed, openQueue, settle } from "../support/work.ts";

const page = { page: 1, pageSize: 10 };
const never = new AbortController().signal;

/** A store on a Redis of the test's own, with work in it, and every call that may be made of it. */
async function everyCall(t: Test) {
  const server = await startRedisServer(t, { appendonly: "yes", appendfsync: "always" });
  const store = await openStore(t, { url: server.url });
  const issuer = await openIssuer(store, { wallets: ["apple"] });
  const webhook = await issuer.subscribe("pass.created");
  const { id, job_id: job } = passOf(await issuer.create());
  const queue = await openQueue(store);
  const [task] = await claimOf(queue, issuer);
  if (task === undefined) throw new Error("there is no work");
  const { tenantId, tenants, templates, providerConfigurations, passes, templateId } = issuer;
  const template = await templates.find(tenantId, templateId);
  if (template === null) throw new Error("there is no template");
  const jobs = createJobStore(store, () => store.connect({ blocking: true }));
  const applications = createApplicationStore(store);
  const [webhooks, deliveries] = [createWebhookStore(store), createDeliveryStore(store)];
  const breakers = createBreakers(store, { parkLimitMs: 1 });
  const rateLimiter = createTokenRateLimiter(store, { requests: 10, windowMs: 60_000 });
  // Asked for by ids that nobody has read before, where a store remembers what was read.
  const unread = store.ids.uuid();
  const [replays, audit] = [openReplays(store), createAuditLog(store)];
  const entry = {
    who: "ada",
    action: "a.b",
    tenant_id: null,
    target: null,
    result: "done",
    details: {},
  } as const;
  const calls: Record<string, () => Promise<unknown>> = {
    "tenants.find": () => tenants.find(tenantId),
    "tenants.list": () => tenants.list(page),
    "tenants.balance": () => tenants.balance(tenantId, 0),
    "tenants.create": () =>
      tenants.create(
        { id: unread, name: "T", status: "active", billingMode: "prepaid", createdAtMs: 0 },
        { mode: "prepaid", credits: 0 },
      ),
    "applications.find": () => applications.find(unread),
    "applications.list": () => applications.list(tenantId, page),
    "templates.find": () => templates.find(unread, unread),
    "templates.findByName": () => templates.findByName(tenantId, "Card"),
    "templates.list": () => templates.list(tenantId, {}, page),
    "templates.renderable": () => templates.renderable(template, 7),
    "templates.image": () => templates.image(tenantId, "00"),
    "providerConfigurations.list": () => providerConfigurations.list(tenantId),
    "providerConfigurations.enabledWallets": () => providerConfigurations.enabledWallets(unread),
    "providerConfigurations.credentials": () => providerConfigurations.credentials(unread, "apple"),
    "passes.find": () => passes.find(tenantId, id),
    "passes.findByPageToken": () => passes.findByPageToken("token"),
    "passes.list": () => passes.list(tenantId, {}, page),
    "passes.list by external_ref": () => passes.list(tenantId, { externalRef: "x" }, page),
    "passes.create": () => issuer.create(),
    "jobs.find": () => jobs.find(tenantId, job),
    "jobs.awaitFinish": () => jobs.awaitFinish(tenantId, job, 20_000, never),
    "webhooks.find": () => webhooks.find(tenantId, webhook),
    "webhooks.target": () => webhooks.target(tenantId, webhook),
    "webhooks.list": () => webhooks.list(tenantId, page),
    "webhooks.remove": () => webhooks.remove({ tenantId, id: webhook }, null),
    "deliveries.find": () => deliveries.find(tenantId, unread),
    "deliveries.body": () => deliveries.body(tenantId, unread),
    "deliveries.list": () => deliveries.list({ tenantId, webhookId: webhook, nowMs: 0 }, page),
    "deliveries.park": () => deliveries.park(task, 0),
    "deliveries.hold": () => deliveries.hold(task, { nowMs: 0, dueAtMs: 1, limitMs: 1 }),
    "breakers.tend": () => breakers.tend(0),
    "breakers.depth": () => breakers.depth(),
    "breakers.health": () => breakers.health(tenantId, webhook),
    "outbox.fanOut": () => openOutbox(store).fanOut(10),
    "signingKeys.list": () => createSigningKeyStore(store).list(),
    "idempotency.recall": () => issuer.idempotency.recall(tenantId, keyOf("k1", {})),
    "idempotency.keep": () => issuer.idempotency.keep(tenantId, keyOf("k1", {}), "answer"),
    "signingKeys.remove": () => createSigningKeyStore(store).remove(["kid"]),
    "turns.take": () => createTurns(store, store.clock).take("task", 0),
    "tenants.setStatus": () => issuer.tenants.setStatus(tenantId, "suspended"),
    "tenantRemoval.sweep": () => createTenantRemoval(store).sweep(unread, null),
    "tenantRemoval.forget": () => createTenantRemoval(store).forget(unread),
    dropTask: () => createDropTask(store)(task),
    "rateLimiter.take": () => rateLimiter.take("203.0.113.1", 0),
    "rateLimiter.forget": () => rateLimiter.forget("203.0.113.1"),
    "queue.ensureGroups": () => queue.ensureGroups(),
    "queue.claim": () => queue.claim([0, 1], 10),
    "queue.renew": () => queue.renew([task]),
    "queue.retryLater": () => queue.retryLater(task, { code: "x", description: "x" }, 1),
    "queue.handBack": () => queue.handBack([task]),
    "queue.promoteDue": () => queue.promoteDue(0),
    "queue.reclaimLost": () => queue.reclaimLost(),
    "replayTasks.find": () => replays.look(unread),
    "replayTasks.list": () => replays.replayTasks.list(10),
    "replayTasks.running": () => replays.replayTasks.running(),
    "replayTasks.take": () => replays.replayTasks.take(unread),
    "replayTasks.start": () => replays.start(),
    "audit.append": () => audit.append(entry),
    "audit.entries": () => audit.entries({ sinceMs: 0, untilMs: 1 }).next(),
    "passWork.settle": () => settle(store, task, completed),
    openInstallation: () => openInstallation(store.connection, store.keys.prefix),
  };
  return { server, store, issuer, calls };
}

/** How each call fails, and after how long (ms). */
async function failures(calls: Record<string, () => Promise<unknown>>) {
  return Promise.all(
    Object.entries(calls).map(async ([name, call]) => {
      const startedAt = performance.now();
      const failure = await call().then(
        () => "it succeeded",
        (error: { code?: string; name?: string }) => `${error.name} ${error.code}`,
      );
      return { name, failure, ms: performance.now() - startedAt };
    }),
  );
}

t.test("with Redis gone every call is refused as unavailable, at once", async (t) => {
  const { server, store, calls } = await everyCall(t);
  await server.crash();
  await until("the connection is known to be gone", () => store.connection.status !== "ready");
  for (const { name, failure, ms } of await failures(calls)) {
    t.equal(failure, "PasswrightError unavailable", name);
    t.ok(ms < 500, `${name} after ${ms} ms`);
  }
});

t.test("with Redis hanging every call is refused as unavailable within a second", async (t) => {
  const { server, calls } = await everyCall(t);
  server.signal("SIGSTOP");
  const before = await failures(calls);
  server.signal("SIGCONT");
  for (const { name, failure, ms } of before) {
    t.equal(failure, "PasswrightError unavailable", name);
    // A second, and what a busy machine adds.
    t.ok(ms < 1500, `${name} after ${ms} ms`);
  }
});

t.test("a call that comes while others wait for a hanging Redis waits no longer than they did", async (t) => {
  const { server, calls } = await everyCall(t);
  const find = calls["passes.find"];
  if (find === undefined) throw new Error("there is no such call");
  server.signal("SIGSTOP");
  const first = failures({ find });
  await new Promise((turn) => setImmediate(turn));
  await new Promise((turn) => setImmediate(turn));
  const [second] = await failures({ find });
  await first;
  server.signal("SIGCONT");
  t.equal(second?.failure, "PasswrightError unavailable");
  t.ok((second?.ms ?? 0) < 1500, `after ${second?.ms} ms`);
});

t.test(
  "calls whose answer breaks off are refused as unavailable, those that had theirs are not",
  async (t) => {
    const proxy = await openProxy(t, testRedisUrl());
    const store = await openStore(t, { url: proxy.url });
    const issuer = await openIssuer(store);
    const names = Array.from({ length: 50 }, (_, number) => `find ${number}`);
    const find = () => issuer.tenants.find(issuer.tenantId);
    proxy.cutAfter(500);
    const outcomes = await failures(Object.fromEntries(names.map((name) => [name, find])));
    const count = (wanted: string) => outcomes.filter(({ failure }) => failure === wanted).length;
    t.ok(count("it succeeded") > 0);
    t.ok(count("PasswrightError unavailable") > 0);
    t.equal(count("it succeeded") + count("PasswrightError unavailable"), 50);
  },
);

t.test("once Redis is back everything that was accepted is there, and more is accepted", async (t) => {
  const { server, issuer, calls } = await everyCall(t);
  const accepted = passOf(await issuer.create());
  await server.crash();
  await t.rejects(issuer.create(), { code: "unavailable" });
  await server.start();
  await until("calls succeed again", async () => (await calls["passes.find"]?.()) !== undefined);
  t.match(await issuer.passes.find(issuer.tenantId, accepted.id), { status: "pending" });
  t.match(passOf(await issuer.create()), { status: "pending" });
  const hung = await failures({ claim: calls["queue.claim"] ?? calls.openInstallation ?? (async () => {}) });
  t.equal(hung[0]?.failure, "it succeeded", "the scripts are loaded anew");
});
