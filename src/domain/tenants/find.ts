import { PasswrightError } from "../errors.ts";
import { isUuid } from "../ids.ts";
import type { Tenant, TenantStore } from "./tenant.ts";

/** The tenant of that id: not_found without one, invalid_state when it is being deleted. */
export async function findTenant(deps: { tenants: TenantStore }, id: string): Promise<Tenant> {
  const tenant = await findTenantEvenDeleting(deps, id);
  if (tenant.status === "deleting") throw beingDeleted(id);
  return tenant;
}

/** The same for those who look at what is left of it, or finish the deletion. */
export async function findTenantEvenDeleting(deps: { tenants: TenantStore }, id: string): Promise<Tenant> {
  const tenant = isUuid(id) ? await deps.tenants.find(id) : null;
  if (tenant === null) throw noSuchTenant(id);
  return tenant;
}

export function noSuchTenant(id: string): PasswrightError {
  return new PasswrightError("not_found", `There is no tenant ${id}.`);
}

export function beingDeleted(id: string): PasswrightError {
  return new PasswrightError(
    "invalid_state",
    `The tenant ${id} is being deleted. \`passwright tenants delete ${id}\` finishes what was interrupted.`,
  );
}
