import { isUuid } from "../ids.ts";
import { beingDeleted, findTenant, noSuchTenant } from "./find.ts";
import type { Tenant, TenantStore } from "./tenant.ts";

type Deps = { tenants: TenantStore };

/** Shuts a tenant out of the API: its tokens, live ones too, are refused within seconds. Accepted work goes on. */
export function suspendTenant(deps: Deps, id: string): Promise<{ tenant: Tenant; changed: boolean }> {
  return changeStatus(deps, id, "suspended");
}

/** Lets a suspended tenant back in; live tokens work again. */
export function activateTenant(deps: Deps, id: string): Promise<{ tenant: Tenant; changed: boolean }> {
  return changeStatus(deps, id, "active");
}

/** `changed` is false where it was so already. Rejects with not_found, and invalid_state during a deletion. */
async function changeStatus(deps: Deps, id: string, status: "active" | "suspended") {
  const outcome = isUuid(id) ? await deps.tenants.setStatus(id, status) : "gone";
  if (outcome === "gone") throw noSuchTenant(id);
  if (outcome === "deleting") throw beingDeleted(id);
  return { tenant: await findTenant(deps, id), changed: outcome === "changed" };
}
