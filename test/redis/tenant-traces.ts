import { randomUUID } from "node:crypto";
import t from "tap";
import { createBatch } from "../../src/domain/batches/create.ts";
import { processBatch } from "../../src/domain/batches/process.ts";
import { sendMessage } from "../../src/domain/messages/send.ts";
import { updatePass } from "../../src/domain/passes/update.ts";
import { deleteTenant } from "../../src/domain/tenants/remove.ts";
import { createApplicationStore } from "../../src/redis/applications.ts";
import { createAuditLog } from "../../src/redis/audit.ts";
import { createBatchStore, createBatchWork } from "../../src/redis/batches.ts";
import { createDeliveryStore } from "../../src/redis/deliveries.ts";
import { createMessageStore } from "../../src/redis/messages.ts";
import { packId } from "../../src/redis/packed-ids.ts";
import { createPaidSessionStore } from "../../src/redis/paid-sessions.ts";
import { createTemplateStore } from "../../src/redis/templates.ts";
import { createTenantRemoval } from "../../src/redis/tenant-removal.ts";
import { openDeadLetters } from "../support/dead-letters.ts";
import { content, type Issuer, icon, keyOf, openIssuer, passOf } from "../support/issuer.ts";
import { keySpace } from "../support/key-space.ts";
import { readableLog } from "../support/log.ts";
import { openOutbox } from "../support/outbox.ts";
import { keysOf, openStore, type TestStore } from "../support/store.ts";
import { claimOf, completed, failed, openQueue, settle } from "../support/work.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";

const compose = async () => "{}";

/** A tenant with one of everything that a store can hold of a tenant. */
async function withEverything(store: TestStore): Promise<Issuer> {
  const { ids, clock } = store;
  const issuer = await openIssuer(store);
  const { tenantId, templateId } = issuer;
  const queue = await openQueue(store);
  await createApplicationStore(store).create({
    ...{ id: ids.beside(tenantId), tenantId, name: "Shop", type: "backend", status: "active", secrets: [] },
    createdAtMs: clock.nowMs(),
  });
  const bought = { sessionId: `cs_${randomUUID()}`, tenantId, packageId: "starter", credits: 10 };
  await createPaidSessionStore(store).grant(bought, clock.nowMs());
  const template = await issuer.templates.find(tenantId, templateId);
  if (template === null) throw new Error("there is a template");
  const images = new Map([["icon.png", Buffer.from([...icon, 7])]]);
  const draft = { ...template, id: ids.uuid(), name: "Draft", latestVersion: 0 };
  await createTemplateStore(store).keepDraft({
    template: draft,
    content,
    images,
    draftedAtMs: clock.nowMs(),
  });
  await issuer.subscribe("pass.created");

  const failure = { code: "http_503", description: "answered 503" };
  const attempt = { number: 1, atMs: clock.nowMs(), statusCode: 503, durationMs: 1, error: "answered 503" };
  const rules = { leastFailures: 1, leastMs: 0, withinMs: 1, firstWaitMs: 60_000, longestWaitMs: 60_000 };
  const deliveries = createDeliveryStore(store, { breaker: rules });
  const isDelivery = ({ kind }: { kind: string }): boolean => kind === "delivery";
  // A pass that is active, one that is a dead letter, one that is put off; a delivery that arrives, one that is given up.
  for (const [index, outcome] of [
    completed,
    failed("provider_unavailable", { bury: true }),
    null,
  ].entries()) {
    await issuer.create({ idempotency: keyOf(`k${index}`, {}) });
    for (const task of (await claimOf(queue, issuer)).filter((one) => !isDelivery(one))) {
      if (outcome === null) await queue.retryLater(task, failure, 1e15);
      else await settle(store, task, outcome);
    }
    await openOutbox(store, { compose }).fanOut(10);
    const next = [{ delivered: true } as const, { dueAtMs: null, failure }, { dueAtMs: 1e15, failure }][
      index
    ];
    for (const task of (await claimOf(queue, issuer)).filter(isDelivery)) {
      if (next !== undefined) await deliveries.settle(task, attempt, next, "0");
    }
  }
  // Parked, as the breaker is open now.
  await issuer.create();
  await openOutbox(store, { compose }).fanOut(10);
  for (const task of (await claimOf(queue, issuer)).filter(isDelivery))
    await deliveries.park(task, attempt.atMs);

  const { id: passId } = passOf(await issuer.create());
  const request = { tenantId, idempotency: null, workClass: "interactive", traceId } as const;
  await updatePass({ ...issuer }, { ...request, name: { passId }, data: { points: "9" } });
  const messages = createMessageStore(store);
  for (const subject of [
    { kind: "pass", id: passId },
    { kind: "template", id: templateId },
  ] as const) {
    await sendMessage({ ...issuer, messages }, { ...request, subject, header: "Hello", body: "there" });
  }
  // Of these the body is made later: what is in the outbox names the job, or the batch.
  await issuer.subscribe("job.completed", "job.failed", "batch.completed");
  const batches = createBatchStore(store);
  const operations = [{ type: "revoke" as const, name: { externalRef: "nobody" } }];
  await createBatch({ ...issuer, batches }, { ...request, name: null, operations });
  const batch = (await claimOf(queue, issuer)).find(({ record }) => record.type === "batch.process");
  if (batch === undefined) throw new Error("there is a batch");
  const deps = { ...issuer, batchWork: createBatchWork(store, clock), jobRetrySchedule: [0] };
  await processBatch({ ...deps, log: readableLog() }, batch, new AbortController().signal);
  await createBatch({ ...issuer, batches }, { ...request, name: "waits", operations });
  await issuer.create();
  return issuer;
}

/** Every id of a store's things: in keys, and in what they hold. */
function idsIn(text: string): Set<string> {
  return new Set(text.match(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g));
}

t.test(
  "a deleted tenant with one of everything leaves neither a key nor an id of anything that was its own",
  async (t) => {
    const store = await openStore(t, { partitions: 1 });
    const spared = await withEverything(store);
    const others = JSON.stringify(await keySpace(store));
    const doomed = await withEverything(store);
    const what = { who: "the tests", action: "tenants.credits", tenant_id: doomed.tenantId, target: null };
    await createAuditLog(store).append({ ...what, result: "done", details: {} });

    const all = Object.entries(await keySpace(store));
    const before = JSON.stringify(all);
    // The other one's events have been fanned out meanwhile.
    const ofSpared = all.filter(([key]) => key.includes(spared.tenantId));
    const known = idsIn(`${others} ${JSON.stringify(ofSpared)}`);
    const own = [...idsIn(before)].filter((id) => !known.has(id));
    t.ok(own.length > 20, `${own.length} ids of its own`);
    const kinds = new Set(
      (await keysOf(store))
        .filter((key) => key.includes(doomed.tenantId))
        .map((key) => key.split(doomed.tenantId)[1]?.split(":")[1]),
    );
    for (const kind of [
      "application",
      "batch",
      "batches",
      "credits",
      "delivery",
      "event",
      "events",
      "failed-jobs",
      "idempotency",
      "image",
      "job",
      "jobs",
      "message",
      "messages",
      "paid-sessions",
      "pass",
      "passes",
      "provider",
      "template",
      "templates",
      "webhook",
      "webhooks",
    ]) {
      t.ok(kinds.has(kind) || kind === "application", `it has ${kind}`);
    }
    t.ok((await openDeadLetters(store).list()).length >= 4, "it has dead letters");
    for (const key of [
      store.keys.breakers(0),
      store.keys.openRecords(0),
      store.keys.delayed(0, "interactive"),
    ]) {
      t.ok(
        (await store.connection.zrange(key, "0", "-1")).some((member) => member.startsWith(doomed.tenantId)),
        key,
      );
    }

    await deleteTenant(
      { ...doomed, tenantRemoval: createTenantRemoval(store, { stepSize: 11 }), untilKnown: async () => {} },
      doomed.tenantId,
    );
    const after = Object.entries(await keySpace(store)).filter(([key]) => key !== store.keys.audit);
    for (const id of [doomed.tenantId, ...own]) {
      const named = after.filter(
        (entry) => JSON.stringify(entry).includes(id) || JSON.stringify(entry).includes(packId(id)),
      );
      if (named.length > 0) t.fail(`${id} is named`, { keys: named.map(([key]) => key) });
    }
    const letters = (await openDeadLetters(store).list()).length;
    const counts = await Promise.all(
      ["classes", "tenants", "reasons"].map(async (of) => {
        const all = await store.connection.hvals(`${store.keys.deadLetters(0)}:${of}`);
        return all.reduce((sum, count) => sum + Number(count), 0);
      }),
    );
    t.strictSame(
      counts,
      [letters, letters, letters],
      "and the counts of dead letters are those of the other tenant",
    );
    t.ok(spared.tenantId);
  },
);
