import { PasswrightError } from "../errors.ts";
import { isUuid } from "../ids.ts";
import type { Tenant, TenantStore } from "./tenant.ts";

/** The tenant of that id, or not_found. */
export async function findTenant(deps: { tenants: TenantStore }, id: string): Promise<Tenant> {
  const tenant = isUuid(id) ? await deps.tenants.find(id) : null;
  if (tenant === null) throw new PasswrightError("not_found", `There is no tenant ${id}.`);
  return tenant;
}
