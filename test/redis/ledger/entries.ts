import { randomUUID } from "node:crypto";
import t, { type Test } from "tap";
import type { BatchOperation } from "../../../src/domain/batches/batch.ts";
import { cancelBatch } from "../../../src/domain/batches/cancel.ts";
import { createBatch } from "../../../src/domain/batches/create.ts";
import { processBatch } from "../../../src/domain/batches/process.ts";
import { addCredits } from "../../../src/domain/credits/add.ts";
import type { LedgerEntry } from "../../../src/domain/credits/ledger.ts";
import { updatePass } from "../../../src/domain/passes/update.ts";
import type { Billing } from "../../../src/domain/tenants/tenant.ts";
import { createBatchStore, createBatchWork } from "../../../src/redis/batches.ts";
import { createCreditStore } from "../../../src/redis/credits.ts";
import { createPaidSessionStore } from "../../../src/redis/paid-sessions.ts";
import { openIssuer, passOf } from "../../support/issuer.ts";
import { heldBy, ledgerComplaints, movementsOf, sumsOf } from "../../support/ledger.ts";
import { readableLog } from "../../support/log.ts";
import { openStore } from "../../support/store.ts";
import { claimOf, failed, openQueue, settle } from "../../support/work.ts";

const store = await openStore(t);
const { connection, keys, clock } = store;
const accepted = { idempotency: null, traceId: "t" };

async function opened(billing: Billing) {
  const issuer = await openIssuer(store, { billing });
  const { tenantId, templateId } = issuer;
  const deps = { ...issuer, batches: createBatchStore(store), credits: createCreditStore(store) };
  const creates = (count: number): BatchOperation[] =>
    Array.from({ length: count }, () => ({
      ...({ type: "create", templateId, intent: "loyalty_card" } as const),
      ...{ externalRef: randomUUID(), data: { name: "Ada" } },
    }));
  const accept = async (operations: BatchOperation[]): Promise<string> => {
    const { body } = await createBatch(deps, { tenantId, name: null, operations, ...accepted });
    return JSON.parse(body).id;
  };
  return {
    issuer,
    tenantId,
    add: (amount: number) => addCredits(deps, { tenantId, amount, operator: "ada@host" }),
    batch: (count: number) => accept(creates(count)),
    /** A batch that creates no pass. */
    nothing: () => accept([{ type: "revoke", name: { externalRef: "nobody" } }]),
    cancel: (batchId: string) => cancelBatch(deps, { tenantId, batchId, idempotency: null }),
    movements: () => movementsOf(store, tenantId),
    /** That the movements come to what is held. */
    async agrees(t: Test, why: string): Promise<void> {
      t.strictSame(sumsOf(await movementsOf(store, tenantId)), await heldBy(store, tenantId), why);
    },
  };
}

/** Reason, reference, month, amount and what was held then. */
function told({ reason, reference, month, amount, after }: LedgerEntry) {
  return [reason, reference, month, amount, after];
}

t.test("every movement of a balance is told, with what it was for and what was left", async (t) => {
  const { issuer, tenantId, add, batch, cancel, movements } = await opened({ mode: "prepaid", credits: 5 });
  const queue = await openQueue(store);
  await add(10);
  const bought = { sessionId: "cs_test_1", tenantId, packageId: "starter", credits: 20 };
  const sessions = createPaidSessionStore(store);
  for (let time = 0; time < 2; time += 1) await sessions.grant(bought, 1);
  const { id } = passOf(await issuer.create({ externalRef: "one" }));
  for (const task of await claimOf(queue, issuer)) await settle(store, task, failed("provider_rejected"));
  await updatePass(issuer, { tenantId, name: { passId: id }, data: {}, workClass: "bulk", ...accepted });
  await claimOf(queue, issuer);
  const cancelled = await batch(4);
  await cancel(cancelled);
  const carriedOut = await batch(3);
  const [task] = await claimOf(queue, issuer);
  if (task === undefined) throw new Error("there is no batch to process");
  const deps = { ...issuer, batchWork: createBatchWork(store, clock), jobRetrySchedule: [0] };
  await processBatch({ ...deps, log: readableLog() }, task, new AbortController().signal);

  t.strictSame((await movements()).map(told).toReversed(), [
    ["opening", null, null, 5, 5],
    ["added", "ada@host", null, 10, 15],
    ["top_up", "cs_test_1", null, 20, 35],
    ["charged", id, null, -1, 34],
    ["returned", id, null, 1, 35],
    ["charged", id, null, -1, 34],
    ["reserved", cancelled, null, -4, 30],
    ["released", cancelled, null, 4, 34],
    ["reserved", carriedOut, null, -3, 31],
  ]);
  t.strictSame(await ledgerComplaints(store, tenantId), []);
});

t.test("under a contract each month's movements are its use", async (t) => {
  clock.setTo("2026-11-30T23:59:00.000Z");
  const { issuer, tenantId, movements } = await opened({ mode: "contract", monthlyCap: 9 });
  const queue = await openQueue(store);
  const { id } = passOf(await issuer.create());
  const tasks = await claimOf(queue, issuer);
  clock.setTo("2026-12-01T00:01:00.000Z");
  const december = passOf(await issuer.create());
  for (const task of tasks) await settle(store, task, failed("provider_rejected"));
  t.strictSame((await movements()).map(told).toReversed(), [
    ["charged", id, "2026-11", 1, 1],
    ["charged", december.id, "2026-12", 1, 1],
    ["returned", id, "2026-11", -1, 0],
  ]);
  t.strictSame(await ledgerComplaints(store, tenantId), []);
});

t.test("what was refused, or moves nothing, is no movement", async (t) => {
  const { issuer, batch, nothing, cancel, movements } = await opened({ mode: "prepaid", credits: 0 });
  t.strictSame(await movements(), [], "nor is an empty balance");
  await t.rejects(issuer.create(), { code: "insufficient_credits" });
  await t.rejects(batch(2), { code: "insufficient_credits" });
  await cancel(await nothing());
  t.strictSame(await movements(), []);
});

t.test(
  "a tenant older than ledgers begins with what it has, read before its first movement and after",
  async (t) => {
    const { issuer, tenantId, movements, agrees } = await opened({ mode: "prepaid", credits: 7 });
    await connection.del(keys.ledger(tenantId));
    await connection.hdel(keys.credits(tenantId), "recorded:balance");
    t.strictSame((await movements()).map(told), [["opening", null, null, 7, 7]]);
    t.match(await movements(), [{ id: null, atMs: null }], "which is not written yet");
    const { id } = passOf(await issuer.create());
    t.strictSame((await movements()).map(told), [
      ["charged", id, null, -1, 6],
      ["opening", null, null, 7, 7],
    ]);
    t.match(await movements(), [{ id: /^\d+-\d+$/ }, { id: /^\d+-\d+$/ }], "both are written");
    await agrees(t, "and come to the balance");
  },
);

t.test("what an older release moves is told, and written down with the next movement", async (t) => {
  for (const billing of [
    { mode: "prepaid", credits: 10 },
    { mode: "contract", monthlyCap: 10 },
  ] as const) {
    const { issuer, tenantId, movements, agrees } = await opened(billing);
    await issuer.create();
    const account = [...(await heldBy(store, tenantId)).keys()][0] ?? "";
    const sign = billing.mode === "prepaid" ? -1 : 1;
    await connection.hincrby(keys.credits(tenantId), account, 3 * sign);
    const [newest] = await movements();
    t.match(newest, { id: null, reason: "not_recorded", amount: 3 * sign }, billing.mode);
    await agrees(t, "a reader says so");
    await issuer.create();
    const [charged, written] = await movements();
    t.match(charged, { reason: "charged", amount: sign });
    t.match(written, { id: /^\d+-\d+$/, reason: "not_recorded", amount: 3 * sign });
    t.notOk(
      (await movements()).some(({ id }) => id === null),
      "and it is told once",
    );
    await agrees(t, "afterwards too");
  }
});

t.test("where entries are gone the sum stays right, and what is missing is told", async (t) => {
  const { issuer, tenantId, movements, agrees } = await opened({ mode: "prepaid", credits: 10 });
  for (let pass = 0; pass < 4; pass += 1) await issuer.create();
  const [, , removed] = await movements();
  await connection.xdel(keys.ledger(tenantId), removed?.id ?? "");
  t.strictSame(
    (await movements()).map(({ reason, amount }) => [reason, amount]),
    [
      ["charged", -1],
      ["charged", -1],
      ["missing", -1],
      ["charged", -1],
      ["opening", 10],
    ],
  );
  await agrees(t, "one from the middle");
  await connection.xtrim(keys.ledger(tenantId), "MAXLEN", 2);
  t.strictSame((await movements()).map(told).at(-1), ["carried_forward", null, null, 8, 8]);
  await agrees(t, "the oldest");
  await connection.xtrim(keys.ledger(tenantId), "MAXLEN", 0);
  t.strictSame((await movements()).map(told), [["carried_forward", null, null, 6, 6]]);
  await issuer.create();
  await agrees(t, "all of them, and one that came since");
});

t.test("a span shows the entries within it, however many there are", async (t) => {
  const { issuer, tenantId } = await opened({ mode: "prepaid", credits: 1000 });
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(Array.from({ length: 200 }, () => issuer.create()));
  }
  const list = (sinceMs: number | null, untilMs: number | null) =>
    movementsOf(store, tenantId, { sinceMs, untilMs });
  const all = await list(null, null);
  t.equal(all.length, 601);
  t.strictSame(
    all.map(({ after }) => after),
    Array.from({ length: 601 }, (_, i) => 400 + i),
    "newest first",
  );
  const middle = all[300]?.atMs ?? 0;
  const [later, earlier] = [await list(middle, null), await list(null, middle - 1)];
  t.ok(later.length > 0 && earlier.length > 0);
  t.strictSame([...later, ...earlier], all, "and nothing is between two spans, or in both");
});
