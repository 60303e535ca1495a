/**
 * Why credits moved. `opening`: what the tenant had when its ledger began. `top_up`: a paid session. `added`: an operator.
 * `charged`, `returned`: a pass was to be created, and failed at every wallet. `reserved`, `released`: the same of a batch's
 * passes together. `not_recorded`: something moved credits without an entry, such as a release that knows of no ledger.
 * Only a reader finds `missing`, where entries are gone from between others, and `carried_forward`, what the account held
 * before the oldest entry that is kept.
 */
export type LedgerReason =
  | "opening"
  | "top_up"
  | "added"
  | "charged"
  | "returned"
  | "reserved"
  | "released"
  | "not_recorded"
  | "missing"
  | "carried_forward";

/** A movement. What no entry says, and a reader found, has neither id nor instant. */
export type LedgerEntry = {
  id: string | null;
  atMs: number | null;
  reason: LedgerReason;
  /** What it was for: a session, an operator, a pass or a batch; null where there is nothing to name. */
  reference: string | null;
  /** Under a contract `YYYY-MM`, the month whose use was counted; null: the balance. */
  month: string | null;
  /** What it changed the balance, or the use of the month, by. */
  amount: number;
  /** What that was afterwards. */
  after: number;
};

/** The balance, or a month's use of a contract, as it is now. */
export type Account = Pick<LedgerEntry, "month"> & {
  held: number;
  /** Whether its ledger has begun. */
  isRecorded: boolean;
};

export type LedgerSpan = { sinceMs: number | null; untilMs: number | null };

export type LedgerStore = {
  /** The accounts, and the entries that were written by that instant and lie within the span, newest first. */
  read(
    tenantId: string,
    span: LedgerSpan,
  ): Promise<{ accounts: Account[]; entries: AsyncIterable<LedgerEntry> }>;
};

/** Lets old entries go. What they came to stays known: each entry says what was held after it. */
export type LedgerRetention = {
  /** Removes a bounded number of the entries before an instant; answers how many. 0: there are none left. */
  trim(tenantId: string, beforeMs: number): Promise<number>;
};

/**
 * The movements of a tenant's credits, newest first. Those of a whole ledger come to what is held, always: wherever the
 * entries do not, the difference is a movement of its own that says so.
 */
export async function* listLedger(
  { ledger }: { ledger: LedgerStore },
  { tenantId, ...span }: { tenantId: string } & LedgerSpan,
): AsyncGenerator<LedgerEntry> {
  const { accounts, entries } = await ledger.read(tenantId, span);
  const isToNow = span.untilMs === null;
  /** What each account held after the entry that comes next. */
  const expected = new Map<string | null, number>();
  if (isToNow) for (const { month, held } of accounts) expected.set(month, held);
  const begun = new Set<string | null>();
  for await (const entry of entries) {
    const { month, after, amount } = entry;
    const held = expected.get(month) ?? after;
    if (held !== after) yield found(begun.has(month) ? "missing" : "not_recorded", month, held - after, held);
    yield entry;
    begun.add(month);
    expected.set(month, after - amount);
  }
  if (!isToNow || span.sinceMs !== null) return;
  for (const [month, held] of expected) {
    if (held === 0) continue;
    const account = accounts.find((one) => one.month === month);
    yield found(account?.isRecorded ? "carried_forward" : "opening", month, held, held);
  }
}

function found(reason: LedgerReason, month: string | null, amount: number, after: number): LedgerEntry {
  return { id: null, atMs: null, reason, reference: null, month, amount, after };
}
