import t from "tap";
import { upsertPass } from "../../../src/domain/passes/upsert.ts";
import { createPassWork } from "../../../src/redis/pass-work.ts";
import { credentials, openIssuer, passOf } from "../../support/issuer.ts";
import { keySpace } from "../../support/key-space.ts";
import { openStore } from "../../support/store.ts";
import { claimOf, completed, openQueue, settle } from "../../support/work.ts";

const store = await openStore(t);
const { keys, connection, clock } = store;
const spent = (credits: number) => ({ mode: "prepaid", credits: 1000 - credits });

t.test("the same external_ref with the same content is answered with the original response", async (t) => {
  const issuer = await openIssuer(store);
  const request = { externalRef: "member-1", data: { name: "Ada", points: "5" } };
  const first = await issuer.create(request);
  const before = await keySpace(store);
  clock.forward(5000);
  t.strictSame(await issuer.create(request), { ...first, replayed: true, repeated: true });
  t.strictSame(await issuer.create({ ...request, data: { points: "5", name: "Ada" } }), {
    ...first,
    replayed: true,
    repeated: true,
    body: first.body.replace('{"name":"Ada","points":"5"}', '{"points":"5","name":"Ada"}'),
  });
  t.strictSame(await keySpace(store), before, "nothing is written for a repeat");
});

t.test("the original response is given even when the pass has come further since", async (t) => {
  const issuer = await openIssuer(store);
  const request = { externalRef: "member-2" };
  const first = await issuer.create(request);
  const queue = await openQueue(store);
  for (const task of await claimOf(queue, issuer)) {
    clock.forward(1000);
    await settle(store, task, completed);
  }
  const now = await issuer.passes.find(issuer.tenantId, passOf(first).id);
  t.equal(now?.status, "active");
  t.strictSame(await issuer.create(request), { ...first, replayed: true, repeated: true });
});

t.test("the original response shows the wallets of then, also when the tenant has got another", async (t) => {
  const issuer = await openIssuer(store, { wallets: ["apple"] });
  const { tenantId, templateId } = issuer;
  const request = { externalRef: "member-8" };
  const first = await issuer.create(request);
  await issuer.providerConfigurations.save(
    { tenantId, wallet: "google", enabled: true, sandbox: true, summary: {}, updatedAtMs: 0 },
    credentials.google,
  );
  for (const points of ["1", "2"]) {
    const data = { name: "Ada", points };
    await upsertPass(issuer, {
      ...{ tenantId, templateId, intent: "loyalty_card", data, ...request },
      ...{ idempotency: null, workClass: "interactive", traceId: "4bf92f3577b34da6a3ce929d0e0e4736" },
    });
  }
  t.match((await issuer.passes.find(tenantId, passOf(first).id))?.providers, { apple: {}, google: {} });
  t.strictSame(await issuer.create(request), { ...first, replayed: true, repeated: true });
});

t.test("the same external_ref with other content is refused", async (t) => {
  const issuer = await openIssuer(store);
  await issuer.create({ externalRef: "member-3", data: { name: "Ada" } });
  const conflict = { code: "duplicate_external_ref", kind: "conflict" };
  await t.rejects(issuer.create({ externalRef: "member-3", data: { name: "Bob" } }), conflict);
  await t.rejects(issuer.create({ externalRef: "member-3", data: { name: "Ada", points: "0" } }), conflict);
  t.strictSame(await issuer.balance(), spent(1));
});

t.test("an external_ref whose pass is being revoked, or was, is refused", async (t) => {
  const issuer = await openIssuer(store);
  const request = { externalRef: "member-4" };
  const { id } = passOf(await issuer.create(request));
  for (const status of ["revoking", "revoked"]) {
    await connection.hset(keys.pass(issuer.tenantId, id), "status", status);
    await t.rejects(issuer.create(request), { code: "duplicate_external_ref" }, status);
  }
});

t.test("an external_ref of another tenant is free", async (t) => {
  const [one, two] = [await openIssuer(store), await openIssuer(store)];
  const first = await one.create({ externalRef: "member-5" });
  const second = await two.create({ externalRef: "member-5", data: { name: "Bob" } });
  t.equal(second.replayed, false);
  t.not(passOf(second).id, passOf(first).id);
  t.equal(await two.passes.find(two.tenantId, passOf(first).id), null, "a pass is found by its tenant only");
});

t.test("of many creates with one external_ref at the same moment one makes the pass", async (t) => {
  const issuer = await openIssuer(store);
  const other = await store.another();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      issuer.create({ externalRef: "member-6" }, i % 2 === 0 ? store : other),
    ),
  );
  t.equal(answers.filter(({ replayed }) => !replayed).length, 1);
  t.equal(new Set(answers.map(({ body }) => body)).size, 1);
  t.strictSame(await issuer.balance(), spent(1));
});

t.test("a pass that failed everywhere keeps its external_ref, and a repeat takes no credit", async (t) => {
  const issuer = await openIssuer(store, { wallets: ["apple"] });
  const first = await issuer.create({ externalRef: "member-7" });
  const queue = await openQueue(store);
  const work = createPassWork(store, clock);
  for (const task of await claimOf(queue, issuer)) {
    const failure = { code: "provider_rejected", description: "no" };
    await work.settle(task, 1, { outcome: "failed", failure, bury: false }, { id: store.ids.uuid() });
  }
  t.strictSame(await issuer.balance(), spent(0));
  t.strictSame(await issuer.create({ externalRef: "member-7" }), {
    ...first,
    replayed: true,
    repeated: true,
  });
  t.strictSame(await issuer.balance(), spent(0));
});
