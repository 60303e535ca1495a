import { isoInstant } from "../clock.ts";
import type { Balance, Tenant } from "./tenant.ts";

/** A tenant as commands show it. */
export function tenantResource(tenant: Tenant, balance: Balance | null): Record<string, string | number> {
  return {
    id: tenant.id,
    name: tenant.name,
    status: tenant.status,
    billing: tenant.billingMode,
    ...(balance?.mode === "prepaid" && { credits: balance.credits }),
    ...(balance?.mode === "contract" && {
      contract_cap: balance.monthlyCap,
      used_this_month: balance.usedThisMonth,
    }),
    created_at: isoInstant(tenant.createdAtMs),
  };
}
