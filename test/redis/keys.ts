import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import t from "tap";
import { createBatch } from "../../src/domain/batches/create.ts";
import { processBatch } from "../../src/domain/batches/process.ts";
import { noTimes } from "../../src/domain/jobs/work-times.ts";
import { sendMessage } from "../../src/domain/messages/send.ts";
import { updatePass } from "../../src/domain/passes/update.ts";
import type { Template } from "../../src/domain/templates/template.ts";
import { createApplicationStore } from "../../src/redis/applications.ts";
import { createRestorations } from "../../src/redis/backup/restorations.ts";
import { createBatchStore, createBatchWork } from "../../src/redis/batches.ts";
import { createCatalogStore } from "../../src/redis/billing.ts";
import { createCallRate } from "../../src/redis/call-rate.ts";
import { createCallbackStore } from "../../src/redis/callbacks.ts";
import { createDeliveryStore } from "../../src/redis/deliveries.ts";
import { createDeviceStore } from "../../src/redis/devices.ts";
import { openInstallation } from "../../src/redis/installation.ts";
import { createMessageStore } from "../../src/redis/messages.ts";
import { createPaidSessionStore } from "../../src/redis/paid-sessions.ts";
import {
  createDeviceRateLimiter,
  createRefusedCallbackRateLimiter,
  createTokenRateLimiter,
} from "../../src/redis/rate-limiter.ts";
import { createRequestCounter } from "../../src/redis/request-counter.ts";
import { createSigningKeyStore } from "../../src/redis/signing-keys.ts";
import { createTemplateStore } from "../../src/redis/templates.ts";
import { createTurns } from "../../src/redis/turns.ts";
import { createWorkerRoll } from "../../src/redis/worker-roll.ts";
import { openDeadLetters } from "../support/dead-letters.ts";
import { recordEvents } from "../support/events.ts";
import { content, type Issuer, icon, keyOf, openIssuer } from "../support/issuer.ts";
import { readableLog } from "../support/log.ts";
import { openOutbox } from "../support/outbox.ts";
import { openReplays } from "../support/replays.ts";
import { openResigns } from "../support/resigns.ts";
import { keysOf, openStore, type TestStore } from "../support/store.ts";
import { claimOf, completed, failed, openQueue, settle } from "../support/work.ts";

const page = fileURLToPath(new URL("../../docs/redis.md", import.meta.url));

type DocumentedKey = { pattern: string; shape: RegExp; type: string };

/** The rows of the page's tables: a cell of patterns, then one with the type. */
function documented(text: string, prefix: string): DocumentedKey[] {
  const rows = text.matchAll(/^\| *(`pw:[^|]+?) *\| *([a-z ]+?) *\|/gm);
  return [...rows].flatMap(([, patterns = "", type = ""]) =>
    [...patterns.matchAll(/`(pw:[^`]+)`/g)].map(([, pattern = ""]) => ({
      pattern,
      type,
      shape: shapeOf(pattern, prefix),
    })),
  );
}

/** A pattern as the page writes it: capitals stand for values, `NN` for digits, `pw` for the prefix. */
function shapeOf(pattern: string, prefix: string): RegExp {
  const parts = pattern.split(":").slice(1);
  const shapes = parts.map((part) => {
    if (part === "{pNN}") return "\\{p\\d\\d\\}";
    if (part === "TENANT") return "[0-9a-f]{8}-[0-9a-f-]{27}";
    return /^[A-Z][A-Z0-9]*$/.test(part) ? "[^:{}]+" : part.replace(/[{}]/g, "\\$&");
  });
  return new RegExp(`^${[prefix, ...shapes].join(":")}$`);
}

/** Makes the store write a key of every kind that it knows. */
async function fullRun(store: TestStore): Promise<void> {
  const { connection, keys, ids, clock } = store;
  await openInstallation(connection, keys.prefix);
  await createSigningKeyStore(store).seed([
    {
      kid: "kid",
      state: "active",
      publicJwk: { kty: "RSA", n: "modulus", e: "AQAB", kid: "kid", alg: "RS256", use: "sig" },
      privateKey: "private",
      publishedAtMs: 1,
      activatedAtMs: 1,
      retiredAtMs: null,
    },
  ]);
  await createCatalogStore(store).setPackages([]);
  await createCatalogStore(store).setPlans([]);
  await createTokenRateLimiter(store, { requests: 10, windowMs: 60_000 }).take("203.0.113.1", clock.nowMs());
  await createTurns(store, clock).take("expire-events", clock.nowMs());
  await createWorkerRoll(store, { consumer: "host:1:a", nowMs: () => clock.nowMs() }).beat(noTimes());
  const issuer = await openIssuer(store);
  const { tenantId } = issuer;
  const requests = createRequestCounter(store, clock);
  requests.count(tenantId);
  await requests.write();
  const bought = { sessionId: "cs_1", tenantId, packageId: "starter", credits: 10 };
  await createPaidSessionStore(store).grant(bought, clock.nowMs());
  const system: Template = {
    id: ids.uuid(),
    tenantId: null,
    name: "System",
    type: "Generic",
    description: null,
    providers: ["apple"],
    status: "active",
    latestVersion: 1,
    createdAtMs: 1,
  };
  const images = new Map([["icon.png", Buffer.from(icon)]]);
  const templates = createTemplateStore(store);
  await templates.publish({ template: system, content, images, publishedAtMs: 1 });
  const own = { ...system, id: ids.uuid(), tenantId, latestVersion: 0 };
  for (const template of [system, own])
    await templates.keepDraft({ template, content, images, draftedAtMs: 2 });
  await createApplicationStore(store).create({
    id: ids.beside(tenantId),
    tenantId,
    name: "Shop",
    type: "backend",
    status: "active",
    secrets: [],
    createdAtMs: 1,
  });
  await issuer.subscribe("pass.created");
  const sent = { type: "message.sent", messageId: ids.uuid(), occurredAtMs: clock.nowMs() } as const;
  await recordEvents(store, tenantId, [{ id: ids.uuid(), ...sent }]);

  const queue = await openQueue(store);
  await queue.reconcile(0);
  const deliveries = createDeliveryStore(store);
  const failure = { code: "http_503", description: "answered 503" };
  const attempt = { number: 1, atMs: 0, statusCode: 503, durationMs: 1, error: "answered 503" };
  // One pass becomes active, one fails, one is put off; one delivery is given up, one arrives, one is put off.
  const endings = [completed, failed("provider_unavailable", { bury: true }), null];
  for (const [index, outcome] of endings.entries()) {
    await issuer.create({ idempotency: keyOf(`k${index}`, {}) });
    for (const task of await claimOf(queue, issuer)) {
      if (outcome === null) await queue.retryLater(task, failure, 1e15);
      else await settle(store, task, outcome);
    }
    // What a reader of the outbox sees before it is emptied.
    await recorded(store);
    await openOutbox(store).fanOut(10);
    const next = [{ delivered: true } as const, { dueAtMs: null, failure }, { dueAtMs: 1e15, failure }][
      index
    ];
    for (const task of await claimOf(queue, issuer)) if (next) await deliveries.settle(task, attempt, next);
  }
  const replays = openReplays(store);
  const letters = (await openDeadLetters(store).list()).map(({ id }) => id);
  const held = await replays.start({ ids: letters });
  await recorded(store);
  await replays.drive(held);
  await parked(store, issuer);
  const { body } = await issuer.create();
  await messagesAndBatch(store, issuer, JSON.parse(body).id);
  await unfinishedRestore(store);
  await phone(store, issuer, JSON.parse(body).id);
  await resigned(store);
  await recorded(store);
}

/** Passes of a tenant that were fetched again. */
async function resigned(store: TestStore): Promise<void> {
  const at = await openResigns(store);
  await at.newPass(1);
  const worker = at.process();
  const { id } = await worker.start();
  await recorded(store);
  await worker.drive(await worker.take(id));
}

/** What a restore leaves that was interrupted. */
async function unfinishedRestore(store: TestStore): Promise<void> {
  const restorations = createRestorations(store, { holder: "host:1:a" });
  const everywhere = await restorations.begin({ name: "installation", partition: null }, "restore");
  await everywhere.keepAudit([{ kind: "audit", id: "1-1", text: "{}" }], false);
  await restorations.begin({ name: "partition", partition: 0 }, "restore");
}

/** A delivery that waits for its endpoint's breaker to close. */
async function parked(store: TestStore, issuer: Issuer): Promise<void> {
  const rules = { leastFailures: 1, leastMs: 0, withinMs: 1, firstWaitMs: 60_000, longestWaitMs: 60_000 };
  const deliveries = createDeliveryStore(store, { breaker: rules });
  const attempt = {
    number: 1,
    atMs: store.clock.nowMs(),
    statusCode: 503,
    durationMs: 1,
    error: "answered 503",
  };
  const next = { dueAtMs: 1e15, failure: { code: "http_503", description: "answered 503" } };
  const queue = await openQueue(store);
  const isDelivery = ({ kind }: { kind: string }): boolean => kind === "delivery";
  for (let round = 0; round < 3; round += 1) {
    await issuer.create();
    await openOutbox(store).fanOut(10);
    for (const task of (await claimOf(queue, issuer)).filter(isDelivery)) {
      if ((await deliveries.park(task, attempt.atMs)) === "send")
        await deliveries.settle(task, attempt, next, "0");
    }
  }
  await recorded(store);
}

/** A message to a pass, one to a template, and a batch that updates the pass, and fails with another. */
async function messagesAndBatch(store: TestStore, issuer: Issuer, passId: string): Promise<void> {
  const { tenantId, templateId } = issuer;
  const accepted = { tenantId, idempotency: null, traceId: "4bf92f3577b34da6a3ce929d0e0e4736" };
  const messages = createMessageStore(store);
  for (const subject of [
    { kind: "pass", id: passId },
    { kind: "template", id: templateId },
  ] as const) {
    await sendMessage({ ...issuer, messages }, { ...accepted, subject, header: "Hello", body: "there" });
  }
  await createBatch(
    { ...issuer, batches: createBatchStore(store) },
    {
      ...accepted,
      name: null,
      operations: [
        { type: "update", name: { passId }, data: {} },
        { type: "revoke", name: { externalRef: "nobody" } },
      ],
    },
  );
  await recorded(store);
  const queue = await openQueue(store);
  const task = (await claimOf(queue, issuer)).find(({ record }) => record.type === "batch.process");
  if (task === undefined) throw new Error("there is no batch to process");
  const deps = { ...issuer, batchWork: createBatchWork(store, store.clock), jobRetrySchedule: [0] };
  await processBatch({ ...deps, log: readableLog() }, task, new AbortController().signal);
}

/** A phone registers for a pass that has just changed, and asks what is new; Google says that it was saved. */
async function phone(store: TestStore, issuer: Issuer, passId: string): Promise<void> {
  const { ids, clock } = store;
  const { tenantId, templateId } = issuer;
  const accepted = { workClass: "interactive", idempotency: null, traceId: "t" } as const;
  await updatePass(issuer, { tenantId, name: { passId }, data: { points: "7" }, ...accepted });
  const devices = createDeviceStore(store);
  const deviceId = "2f9a1c6b0d3e4f5a";
  const caller = { address: "192.0.2.7", userAgent: "passd" };
  const registration = { tenantId, passId, deviceId, templateId, pushToken: "00fc", eventId: ids.uuid() };
  await devices.register(registration, clock.nowMs());
  await devices.changedSince({ tenantId, deviceId, since: null, caller }, clock.nowMs());
  await createCallbackStore(store).record(
    { tenantId, passId, templateId, change: "saved", nonce: "n", expiresAtMs: 0, eventId: ids.uuid() },
    clock.nowMs(),
  );
  await createCallRate(store, { requests: 1, windowMs: 60_000 }).take("account", [
    { line: "a", waited: false },
  ]);
  for (const limiterOf of [createDeviceRateLimiter, createRefusedCallbackRateLimiter]) {
    await limiterOf(store, { requests: 1, windowMs: 60_000 }).take("192.0.2.7", clock.nowMs());
  }
  await recorded(store);
}

const seen = new Map<string, string>();

/** Remembers the keys that there are now, and their types: some are gone at the end. */
async function recorded(store: TestStore): Promise<void> {
  for (const key of await keysOf(store)) seen.set(key, await store.connection.type(key));
}

const typeNames: Record<string, string> = { zset: "sorted set" };
const missing = existsSync(page) ? false : "docs/redis.md is not written yet";

t.test("every key that the service writes is explained in docs/redis.md", { skip: missing }, async (t) => {
  const store = await openStore(t);
  await fullRun(store);
  const rows = documented(readFileSync(page, "utf8"), store.keys.prefix);
  t.ok(seen.size > 40, `${seen.size} keys were written`);

  for (const [key, type] of seen) {
    const matching = rows.filter(({ shape }) => shape.test(key));
    t.strictSame([...new Set(matching.map((row) => row.type))], [typeNames[type] ?? type], key);
  }
  const unseen = rows.filter(({ shape }) => ![...seen.keys()].some((key) => shape.test(key)));
  t.strictSame(
    unseen.map(({ pattern }) => pattern),
    [],
    "and every key that the page explains is written",
  );
});
