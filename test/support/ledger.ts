import { type LedgerEntry, type LedgerSpan, listLedger } from "../../src/domain/credits/ledger.ts";
import { createLedgerStore } from "../../src/redis/ledger.ts";
import type { StoreParts } from "../../src/redis/store.ts";

type Store = Pick<StoreParts, "connection" | "keys">;

/** A tenant's movements, newest first, as the command lists them: all of them, or those of a span. */
export async function movementsOf(
  store: Store,
  tenantId: string,
  span: LedgerSpan = { sinceMs: null, untilMs: null },
): Promise<LedgerEntry[]> {
  const movements: LedgerEntry[] = [];
  const ledger = createLedgerStore(store);
  for await (const movement of listLedger({ ledger }, { tenantId, ...span })) movements.push(movement);
  return movements;
}

/** What a tenant's accounts hold, from the store itself: `balance`, or `used:202611` and so on. */
export async function heldBy({ connection, keys }: Store, tenantId: string): Promise<Map<string, number>> {
  const hash = await connection.hgetall(keys.credits(tenantId));
  const fields = Object.entries(hash).filter(([field]) => /^(balance|used:\d{6})$/.test(field));
  return new Map(fields.map(([field, held]) => [field, Number(held)]));
}

/** Sums of the movements by account. */
export function sumsOf(movements: readonly LedgerEntry[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const movement of movements) {
    const account = accountOf(movement);
    sums.set(account, (sums.get(account) ?? 0) + movement.amount);
  }
  return sums;
}

/**
 * What is wrong with a tenant's ledger, which began with the tenant: movements without an entry, sums that are not what is held,
 * and charges that are not those of its passes and of what its batches still reserve.
 */
export async function ledgerComplaints(store: Store, tenantId: string): Promise<string[]> {
  const movements = await movementsOf(store, tenantId);
  const held = await heldBy(store, tenantId);
  const complaints: string[] = [];
  for (const { id, reason, amount } of movements) {
    if (id === null || reason === "not_recorded") complaints.push(`${amount} without an entry: ${reason}`);
  }
  const sums = new Map<string, number>();
  for (const movement of movements.toReversed()) {
    const account = accountOf(movement);
    const sum = (sums.get(account) ?? 0) + movement.amount;
    if (sum !== movement.after)
      complaints.push(`${movement.id}: ${movement.after} and not ${sum} afterwards`);
    sums.set(account, sum);
  }
  for (const account of new Set([...held.keys(), ...sums.keys()])) {
    const [is, said] = [held.get(account) ?? 0, sums.get(account) ?? 0];
    if (is !== said) complaints.push(`${account} is ${is}, and the ledger comes to ${said}`);
  }
  const charged = movements
    .filter(({ reason }) => ["charged", "returned", "reserved", "released"].includes(reason))
    .reduce((sum, { month, amount }) => sum + (month === null ? -amount : amount), 0);
  const paidFor = await paidForIn(store, tenantId);
  if (charged !== paidFor) complaints.push(`${charged} credits were charged for ${paidFor} passes`);
  return complaints;
}

/** Passes that are paid for, and those that are reserved for. */
async function paidForIn({ connection, keys }: Store, tenantId: string): Promise<number> {
  const passes = await connection.zrange(keys.passes(tenantId), "0", "-1");
  const charges = await Promise.all(
    passes.map((id) => connection.hexists(keys.pass(tenantId, id), "charge")),
  );
  const batches = await connection.zrange(keys.batches(tenantId), "0", "-1");
  const reserved = await Promise.all(
    batches.map((id) => connection.hget(keys.batch(tenantId, id), "reserved")),
  );
  return [...charges, ...reserved.map(Number)].reduce((sum, count) => sum + count, 0);
}

function accountOf({ month }: Pick<LedgerEntry, "month">): string {
  return month === null ? "balance" : `used:${month.replace("-", "")}`;
}
