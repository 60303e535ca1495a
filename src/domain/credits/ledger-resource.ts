import { isoInstant } from "../clock.ts";
import type { LedgerEntry, LedgerReason } from "./ledger.ts";

const references: Partial<Record<LedgerReason, "session" | "operator" | "pass" | "batch">> = {
  top_up: "session",
  added: "operator",
  charged: "pass",
  returned: "pass",
  reserved: "batch",
  released: "batch",
};

/** A movement of credits as commands and exports show it. */
export function ledgerResource({ id, atMs, reason, reference, month, amount, after }: LedgerEntry) {
  const type = references[reason];
  return {
    id,
    at: atMs === null ? null : isoInstant(atMs),
    reason,
    reference: type === undefined || reference === null ? null : { type, id: reference },
    month,
    amount,
    after,
  };
}
