import t from "tap";
import { createPaidSessionStore } from "../../../src/redis/paid-sessions.ts";
import { openIssuer } from "../../support/issuer.ts";
import { openStore, type TestStore } from "../../support/store.ts";

const prepaid = { mode: "prepaid", credits: 5 } as const;

/** A tenant with five credits, and a payment of ten more. */
async function opened(store: TestStore) {
  const issuer = await openIssuer(store, { billing: prepaid });
  const { tenantId } = issuer;
  const payment = { sessionId: "cs_test_1", tenantId, packageId: "starter", credits: 10 };
  return { issuer, payment, sessions: createPaidSessionStore(store) };
}

t.test("fifty deliveries at once, over two connections, grant once", async (t) => {
  const store = await openStore(t);
  const { issuer, payment } = await opened(store);
  const stores = [await store.another(), await store.another()].map(createPaidSessionStore);
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, turn) => stores[turn % 2]?.grant(payment, turn)),
  );
  t.equal(outcomes.filter((outcome) => outcome === "granted").length, 1);
  t.equal(outcomes.filter((outcome) => outcome === "granted_before").length, 49);
  t.strictSame(await issuer.balance(), { mode: "prepaid", credits: 15 });
});

t.test("each session of a tenant is granted, in any order, and what it brought is remembered", async (t) => {
  const store = await openStore(t);
  const { issuer, payment, sessions } = await opened(store);
  const second = { ...payment, sessionId: "cs_test_2", credits: 7 };
  t.equal(await sessions.grant(second, 2), "granted");
  t.equal(await sessions.grant(payment, 3), "granted");
  t.equal(await sessions.grant({ ...second, credits: 99 }, 4), "granted_before", "whatever is said later");
  t.strictSame(await issuer.balance(), { mode: "prepaid", credits: 22 });
  const key = store.keys.paidSessions(payment.tenantId);
  t.strictSame(await store.connection.hgetall(key), {
    cs_test_1: JSON.stringify({ package: "starter", credits: 10, at: 3 }),
    cs_test_2: JSON.stringify({ package: "starter", credits: 7, at: 2 }),
  });
  t.equal(await store.connection.ttl(key), -1, "for ever");
});

t.test("a grant is written whole or not at all", async (t) => {
  const store = await openStore(t);
  const { issuer, payment, sessions } = await opened(store);
  const { credits, paidSessions } = store.keys;
  await store.connection.hset(credits(payment.tenantId), "balance", "no number");
  await t.rejects(sessions.grant(payment, 1));
  t.equal(await store.connection.exists(paidSessions(payment.tenantId)), 0, "no record without its credits");

  await store.connection.hset(credits(payment.tenantId), "balance", "5");
  await store.connection.set(paidSessions(payment.tenantId), "no hash");
  await t.rejects(sessions.grant(payment, 1));
  t.strictSame(await issuer.balance(), prepaid, "no credits without their record");

  await store.connection.del(paidSessions(payment.tenantId));
  t.equal(await sessions.grant(payment, 1), "granted", "and the next delivery finds nothing in its way");
  t.strictSame(await issuer.balance(), { mode: "prepaid", credits: 15 });
});

t.test("who is suspended gets what was paid for; who has a contract, or is gone, nothing", async (t) => {
  const store = await openStore(t);
  const { issuer, payment, sessions } = await opened(store);
  await issuer.tenants.setStatus(payment.tenantId, "suspended");
  t.equal(await sessions.grant(payment, 1), "granted");

  await issuer.tenants.setStatus(payment.tenantId, "deleting");
  const further = { ...payment, sessionId: "cs_test_2" };
  t.equal(await sessions.grant(further, 2), "no_tenant", "nothing comes to life under a deletion");
  t.strictSame(await issuer.balance(), { mode: "prepaid", credits: 15 });

  const contract = await openIssuer(store, { billing: { mode: "contract", monthlyCap: 9 } });
  const nobody = store.ids.uuid();
  for (const [tenantId, outcome] of [
    [contract.tenantId, "contract"],
    [nobody, "no_tenant"],
  ] as const) {
    t.equal(await sessions.grant({ ...payment, tenantId }, 1), outcome);
    t.equal(await store.connection.exists(store.keys.paidSessions(tenantId)), 0);
  }
  t.equal(await store.connection.exists(store.keys.credits(nobody)), 0);
});
