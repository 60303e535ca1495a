import { setImmediate as turn } from "node:timers/promises";
import t from "tap";
import { passResource } from "../../../src/domain/passes/resource.ts";
import { createEventStore } from "../../../src/redis/events.ts";
import { createJobStore } from "../../../src/redis/jobs.ts";
import { baseUrl, keyOf, openIssuer, passOf } from "../../support/issuer.ts";
import { keySpace } from "../../support/key-space.ts";
import { openStore } from "../../support/store.ts";
import { depth } from "../../support/work.ts";

const store = await openStore(t);
const { keys, connection, clock } = store;
const jobs = createJobStore(store, () => store.connect({ blocking: true }));

t.test("an accepted pass is there with its page, job, event, queue entries and charge", async (t) => {
  const issuer = await openIssuer(store);
  const webhook = await issuer.subscribe("pass.created");
  const accepted = await issuer.create({ externalRef: "member-1", data: { name: "Zoë 🎟" } });
  const { id, job_id } = passOf(accepted);
  const pass = await issuer.passes.find(issuer.tenantId, id);
  if (pass === null) throw new Error("the pass is not there");

  t.equal(accepted.body, JSON.stringify(passResource(pass, baseUrl)), "the answer is what GET answers");
  t.equal(accepted.replayed, false);
  t.match(pass, { status: "pending", version: 1, externalRef: "member-1", data: { name: "Zoë 🎟" } });
  t.strictSame(await issuer.passes.findByPageToken(pass.pageToken), pass);
  t.match(await jobs.find(issuer.tenantId, job_id), {
    type: "pass.create",
    status: "queued",
    resource: { type: "pass", id },
    attempts: 0,
    progress: { done: 0, total: 2 },
    error: null,
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    createdAtMs: clock.nowMs(),
    startedAtMs: null,
    finishedAtMs: null,
  });
  t.strictSame(await depth(store, issuer.partition), { entries: 2, pending: 0 }, "an entry for each wallet");
  t.strictSame(await issuer.balance(), { mode: "prepaid", credits: 999 });

  const { items } = await createEventStore(store).list(issuer.tenantId, {}, { page: 1, pageSize: 20 });
  const eventId = items[0]?.id ?? "";
  t.match(items, [{ type: "pass.created", passId: id, templateId: issuer.templateId }]);
  t.equal(items.length, 1);
  t.strictSame(await connection.hgetall(keys.eventCounts(issuer.tenantId, "2026-11-21")), {
    "pass.created": "1",
  });
  const body = JSON.parse((await connection.get(keys.event(issuer.tenantId, eventId))) ?? "null");
  t.strictSame(body, {
    id: eventId,
    type: "pass.created",
    created_at: "2026-11-21T06:43:46.625Z",
    tenant_id: issuer.tenantId,
    data: JSON.parse(accepted.body),
  });
  t.equal(await connection.xlen(keys.outbox(issuer.partition)), 1, `the event waits for webhook ${webhook}`);
});

t.test("whoever looks while passes are accepted sees a pass with everything or nothing of it", async (t) => {
  const issuer = await openIssuer(store);
  const other = await store.another();
  let accepting = true;
  const creations = Promise.all(Array.from({ length: 60 }, () => issuer.create())).finally(() => {
    accepting = false;
  });
  let looks = 0;
  const tenant = issuer.tenantId;
  while (accepting) {
    const replies = await other.connection
      .multi()
      .zcard(keys.passes(tenant))
      .hlen(keys.passRefs(tenant))
      .zcard(`${keys.passesByStatus(tenant)}:pending`)
      .hget(keys.events(tenant), "next")
      .hget(keys.credits(tenant), "balance")
      .exec();
    const [passes, refs, pending, events, balance] = (replies ?? []).map(([, reply]) => Number(reply));
    t.strictSame([refs, pending, events, balance], [passes, passes, passes, 1000 - Number(passes)]);
    looks += 1;
    await turn();
  }
  await creations;
  t.ok(looks > 0);
});

t.test(
  "an Idempotency-Key repeats the first answer byte for byte, even after the pass has changed",
  async (t) => {
    const issuer = await openIssuer(store);
    const request = { externalRef: "member-2", data: { name: "Zoë 🎟" } };
    const idempotency = keyOf("k1", request);
    const first = await issuer.create({ ...request, idempotency });
    await connection.hset(keys.pass(issuer.tenantId, passOf(first).id), "status", "revoked");
    clock.forward(60_000);
    const before = await keySpace(store);
    const again = await issuer.create({ ...request, idempotency });
    t.strictSame(again, { ...first, replayed: true });
    t.strictSame(await keySpace(store), before, "nothing is written for a repeat");
    t.strictSame(await issuer.balance(), { mode: "prepaid", credits: 999 });
  },
);

t.test("equal requests at the same moment are carried out once, and all get its answer", async (t) => {
  const issuer = await openIssuer(store);
  const other = await store.another();
  const request = { externalRef: "member-3", idempotency: keyOf("k1", {}) };
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => issuer.create(request, i % 2 === 0 ? store : other)),
  );
  t.equal(answers.filter(({ replayed }) => !replayed).length, 1);
  t.equal(new Set(answers.map(({ body }) => body)).size, 1);
  t.strictSame(await issuer.balance(), { mode: "prepaid", credits: 999 });
});

t.test("an Idempotency-Key that came with another body before is refused", async (t) => {
  const issuer = await openIssuer(store);
  await issuer.create({ idempotency: keyOf("k1", { a: 1 }) });
  await t.rejects(issuer.create({ idempotency: keyOf("k1", { a: 2 }) }), { code: "idempotency_key_reused" });
  t.strictSame(await issuer.balance(), { mode: "prepaid", credits: 999 });
});

t.test("an Idempotency-Key means nothing to another tenant", async (t) => {
  const [one, two] = [await openIssuer(store), await openIssuer(store)];
  const first = await one.create({ idempotency: keyOf("k1", { a: 1 }) });
  const second = await two.create({ idempotency: keyOf("k1", { a: 1 }) });
  t.not(passOf(second).id, passOf(first).id);
  t.equal(second.replayed, false);
});

t.test("an Idempotency-Key is forgotten after a day", async (t) => {
  const issuer = await openIssuer(store);
  const idempotency = keyOf("k1", {});
  await issuer.create({ idempotency });
  const seconds = await connection.ttl(keys.idempotency(issuer.tenantId, idempotency.scope));
  t.ok(seconds > 86_390 && seconds <= 86_400, `${seconds} s are left`);
});

t.test("an Idempotency-Key whose answer was a repeat of external_ref is taken as well", async (t) => {
  const issuer = await openIssuer(store);
  const request = { externalRef: "member-4" };
  const first = await issuer.create(request);
  const repeat = await issuer.create({ ...request, idempotency: keyOf("k2", { a: 1 }) });
  t.equal(repeat.body, first.body);
  await t.rejects(issuer.create({ idempotency: keyOf("k2", { a: 2 }) }), { code: "idempotency_key_reused" });
});
