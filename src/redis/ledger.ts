import type {
  Account,
  LedgerEntry,
  LedgerReason,
  LedgerRetention,
  LedgerStore,
} from "../domain/credits/ledger.ts";
import { asUnavailable } from "./connection.ts";
import type { StoreParts } from "./store.ts";

/** Entries that are read at once. */
const stretch = 500;
/** Entries that are removed in one step. */
const trimmedAtOnce = 1000;

/** Reads what lua/parts/credits.lua writes. The instant of an entry is that of its id: the clock of Redis. */
export function createLedgerStore({
  connection,
  keys,
}: Pick<StoreParts, "connection" | "keys">): LedgerStore {
  return {
    async read(tenantId, { sinceMs, untilMs }) {
      const key = keys.ledger(tenantId);
      const from = sinceMs === null ? "-" : String(Math.max(0, Math.ceil(sinceMs)));
      const to = untilMs === null ? "+" : String(Math.max(0, Math.floor(untilMs)));
      // In one step: a movement between the two reads would look like one without an entry.
      const replies = await connection
        .multi()
        .hgetall(keys.credits(tenantId))
        .xrevrange(key, to, from, "COUNT", stretch)
        .exec()
        .catch((error: unknown) => {
          throw asUnavailable(error);
        });
      const [hash = {}, newest = []] = (replies ?? []).map(([error, reply]) => {
        if (error !== null) throw asUnavailable(error);
        return reply;
      }) as [Record<string, string>?, StreamEntry[]?];
      return { accounts: accountsOf(hash), entries: entriesFrom(newest) };

      async function* entriesFrom(first: StreamEntry[]): AsyncGenerator<LedgerEntry> {
        for (let read = first; ; ) {
          for (const entry of read) yield entryOf(entry);
          const last = read.at(-1)?.[0];
          if (read.length < stretch || last === undefined) return;
          read = await connection
            .xrevrange(key, `(${last}`, from, "COUNT", stretch)
            .catch((error: unknown) => {
              throw asUnavailable(error);
            });
        }
      }
    },
  };
}

export function createLedgerRetention({
  connection,
  keys,
}: Pick<StoreParts, "connection" | "keys">): LedgerRetention {
  return {
    async trim(tenantId, beforeMs) {
      const key = keys.ledger(tenantId);
      try {
        const old = await connection.xrange(key, "-", String(beforeMs - 1), "COUNT", trimmedAtOnce);
        return old.length === 0 ? 0 : await connection.xdel(key, ...old.map(([id]) => id));
      } catch (error) {
        throw asUnavailable(error);
      }
    },
  };
}

/** What an opening balance is written with, by whoever writes it, so that it has its entry. */
export function openingCommands(
  { credits, ledger }: { credits: string; ledger: string },
  balance: number,
): (string | number)[][] {
  const opened = ["hset", credits, "mode", "prepaid", "balance", balance, "recorded:balance", balance];
  if (balance === 0) return [opened];
  return [opened, ["xadd", ledger, "*", "why", "opening", "of", "", "by", balance, "to", balance]];
}

type StreamEntry = [id: string, fields: string[]];

function accountsOf(hash: Record<string, string>): Account[] {
  return Object.entries(hash)
    .filter(([field]) => field === "balance" || field.startsWith("used:"))
    .map(([field, held]) => ({
      month: monthIn(field),
      held: Number(held),
      isRecorded: hash[`recorded:${field}`] !== undefined,
    }));
}

function entryOf([id, fields]: StreamEntry): LedgerEntry {
  const named = new Map<string, string>();
  for (let i = 0; i < fields.length; i += 2) named.set(fields[i] ?? "", fields[i + 1] ?? "");
  return {
    id,
    atMs: Number(id.split("-")[0]),
    reason: named.get("why") as LedgerReason,
    reference: named.get("of") || null,
    month: monthIn(named.get("on") ?? "balance"),
    amount: Number(named.get("by")),
    after: Number(named.get("to")),
  };
}

/** `used:202611` is November's; the balance is of no month. */
function monthIn(account: string): string | null {
  return account === "balance" ? null : `${account.slice(5, 9)}-${account.slice(9)}`;
}
