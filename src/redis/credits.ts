import { type CreditStore, largestBalance } from "../domain/credits/credits.ts";
import type { StoreParts } from "./store.ts";

export function createCreditStore({ keys, run }: StoreParts): CreditStore {
  return {
    async add(tenantId, amount, operator) {
      const reply = (await run(
        "add-credits",
        [keys.credits(tenantId)],
        [amount, largestBalance, operator],
      )) as ["added" | "contract" | "unknown" | "too_many", number];
      return reply[0] === "added" ? { outcome: reply[0], balance: reply[1] } : { outcome: reply[0] };
    },
  };
}
