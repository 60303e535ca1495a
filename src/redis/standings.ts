import type { ApplicationStore } from "../domain/applications/application.ts";
import type { TenantGoneCheck } from "../domain/tenants/gone-work.ts";
import type { TenantStore } from "../domain/tenants/tenant.ts";
import type { Standing, StandingCheck } from "../domain/tokens/standing.ts";
import { readCache } from "./read-cache.ts";

/** A suspension or a disabled application takes effect in every process within this time. */
const staleMs = 2000;

export function createStandingCheck(deps: {
  tenants: TenantStore;
  applications: ApplicationStore;
}): StandingCheck {
  const standings = readCache<{ standing: Standing }>(
    async (cacheKey) => {
      const [tenantId = "", applicationId = ""] = cacheKey.split(" ");
      const [tenant, application] = await Promise.all([
        deps.tenants.find(tenantId),
        deps.applications.find(applicationId),
      ]);
      if (tenant === null || tenant.status === "deleting") return { standing: "gone" };
      if (application?.tenantId !== tenantId) return { standing: "gone" };
      if (tenant.status !== "active") return { standing: "tenant_suspended" };
      return { standing: application.status === "active" ? "good" : "application_disabled" };
    },
    { entries: 10_000, ttlMs: staleMs },
  );
  return async ({ tenantId, applicationId }) =>
    (await standings.get(`${tenantId} ${applicationId}`))?.standing ?? "gone";
}

/** Whether a tenant is deleted, or being deleted, so that its work is nobody's any more; a little late. */
export function createTenantGoneCheck(tenants: Pick<TenantStore, "find">): TenantGoneCheck {
  const checks = readCache<{ gone: boolean }>(
    async (id) => {
      const tenant = await tenants.find(id);
      return { gone: tenant === null || tenant.status === "deleting" };
    },
    { entries: 10_000, ttlMs: staleMs },
  );
  const ask = async (id: string): Promise<boolean> => (await checks.get(id))?.gone ?? true;
  return (id) => checks.peek(id)?.gone ?? ask(id);
}
