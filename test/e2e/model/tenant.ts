import type { Caller } from "./caller.ts";
import type { Journal } from "./journal.ts";
import type { SharedPass } from "./shared-passes.ts";

/** How a tenant pays, and what is known of it from the outside. */
export type Ledger = {
  mode: "prepaid" | "contract";
  /** The opening balance, or the month's cap. */
  funds: number;
  /** All that may have been charged: creations, updates that may bring a pass to life, reservations of open batches. */
  charged: number;
  /** Creations whose answer is not there yet. */
  asked: number;
};

export type ModelTenant = {
  name: string;
  id: string;
  /** New passes are made from the first; a PUT may move one to the other. */
  templates: readonly [string, string];
  ask: Caller;
  ledger: Ledger;
  shared: Map<string, SharedPass>;
  /** Keys that several clients use, with the one answer that each stands for. */
  sharedKeys: Map<string, { text: string; first: number }>;
  batches: Map<string, "completed" | "cancelled">;
  journal: Journal;
};

/**
 * Whether a 402 can be right: what was given back is left out, so the tenant had at least this much when it was refused
 * `amount`, if everything that was asked for meanwhile came first.
 */
export function mayBeShort({ funds, charged, asked }: Ledger, amount: number): boolean {
  return funds - charged - asked < amount;
}

export const shortage = { prepaid: "insufficient_credits", contract: "contract_cap_reached" } as const;
