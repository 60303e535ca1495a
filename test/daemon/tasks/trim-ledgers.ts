import t from "tap";
import { trimLedgers } from "../../../src/daemon/tasks/trim-ledgers.ts";
import { createEventRetention } from "../../../src/redis/events.ts";
import { createLedgerRetention } from "../../../src/redis/ledger.ts";
import { openIssuer } from "../../support/issuer.ts";
import { heldBy, movementsOf, sumsOf } from "../../support/ledger.ts";
import { openStore } from "../../support/store.ts";

const dayMs = 24 * 60 * 60 * 1000;
const store = await openStore(t);
const { connection, keys, clock } = store;
const deps = {
  eventRetention: createEventRetention(store),
  ledgerRetention: createLedgerRetention(store),
  clock,
};
const on = new AbortController().signal;

/** A tenant with a movement of -1 at each of these days ago, oldest first, after an opening balance of 9000. */
async function tenantWith(days: readonly number[]): Promise<string> {
  const { tenantId } = await openIssuer(store, { billing: { mode: "prepaid", credits: 9000 } });
  await connection.del(keys.ledger(tenantId));
  let left = 9000;
  const pipeline = connection.pipeline();
  for (const day of days) {
    left -= 1;
    const id = `${clock.nowMs() - day * dayMs}-*`;
    pipeline.xadd(keys.ledger(tenantId), id, "why", "charged", "of", "a-pass", "by", -1, "to", left);
  }
  pipeline.hset(keys.credits(tenantId), "balance", left, "recorded:balance", left);
  await pipeline.exec();
  return tenantId;
}

t.test("entries past the retention go, of every tenant, and the sum stays the balance", async (t) => {
  const many = await tenantWith(Array.from({ length: 5000 }, (_, i) => (i < 4000 ? 31 : 29)));
  const few = await tenantWith([31, 30, 29]);
  const all = await tenantWith([40]);
  const task = trimLedgers({ ...deps, ledgerRetentionMs: 30 * dayMs });
  t.strictSame(await task.run(on), { entries: 4002 });
  t.strictSame(await task.run(on), { entries: 0 });
  for (const [tenantId, entries, carried] of [
    [many, 1000, 5000],
    [few, 2, 8999],
    [all, 0, 8999],
  ] as const) {
    const movements = await movementsOf(store, tenantId);
    t.equal(movements.length, entries + 1);
    t.match(movements.at(-1), { id: null, reason: "carried_forward", amount: carried, after: carried });
    t.strictSame(sumsOf(movements), await heldBy(store, tenantId));
  }
});

t.test("without a retention, and once a run is to end, entries stay", async (t) => {
  const tenantId = await tenantWith([4000]);
  const forEver = trimLedgers({ ...deps, ledgerRetentionMs: null });
  t.strictSame(await forEver.run(on), { entries: 0 });
  const stopped = trimLedgers({ ...deps, ledgerRetentionMs: dayMs });
  t.strictSame(await stopped.run(AbortSignal.abort()), { entries: 0 });
  t.equal(await connection.xlen(keys.ledger(tenantId)), 1);
});
