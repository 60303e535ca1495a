import type { Clock } from "../clock.ts";
import { invalidRequest } from "../errors.ts";
import type { Ids } from "../ids.ts";
import type { Billing, Tenant, TenantStore } from "./tenant.ts";

/** Makes an active tenant with its opening balance. */
export async function createTenant(
  deps: { tenants: TenantStore; ids: Ids; clock: Clock },
  input: { name: string; billing: Billing },
): Promise<Tenant> {
  const name = input.name.trim();
  if (name === "" || [...name].length > 100) {
    throw invalidRequest([{ path: "name", message: "must be 1 to 100 characters" }]);
  }
  const amount = input.billing.mode === "prepaid" ? input.billing.credits : input.billing.monthlyCap;
  if (!Number.isSafeInteger(amount) || amount < 0) {
    const path = input.billing.mode === "prepaid" ? "credits" : "contract-cap";
    throw invalidRequest([{ path, message: "must be a whole number, 0 or more" }]);
  }
  const tenant: Tenant = {
    id: deps.ids.uuid(),
    name,
    status: "active",
    billingMode: input.billing.mode,
    createdAtMs: deps.clock.nowMs(),
  };
  await deps.tenants.create(tenant, input.billing);
  return tenant;
}
