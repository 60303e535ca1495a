import { invalidRequest, PasswrightError } from "../errors.ts";
import { findTenant } from "../tenants/find.ts";
import type { TenantStore } from "../tenants/tenant.ts";
import { type CreditStore, largestBalance } from "./credits.ts";

/**
 * Adds credits to a prepaid tenant; answers its new balance. Rejects with invalid_request, not_found, and invalid_state for
 * a tenant under contract, which has a cap and no balance.
 */
export async function addCredits(
  deps: { tenants: TenantStore; credits: CreditStore },
  input: { tenantId: string; amount: number; operator: string },
): Promise<number> {
  const { tenantId, amount, operator } = input;
  if (!Number.isSafeInteger(amount) || amount < 1 || amount > largestBalance) {
    throw invalidRequest([{ path: "--add", message: `must be a whole number from 1 to ${largestBalance}` }]);
  }
  await findTenant(deps, tenantId);
  const added = await deps.credits.add(tenantId, amount, operator);
  switch (added.outcome) {
    case "added":
      return added.balance;
    case "contract":
      throw new PasswrightError(
        "invalid_state",
        `Tenant ${tenantId} is under a contract: it has a monthly cap, and no credits to add to.`,
      );
    case "too_many":
      throw invalidRequest([
        { path: "--add", message: `would bring the balance above ${largestBalance} credits` },
      ]);
    case "unknown":
      throw new PasswrightError("not_found", `There is no tenant ${tenantId}.`);
  }
}
