import type { ApplicationStore } from "../domain/applications/application.ts";
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
      if (tenant === null || application?.tenantId !== tenantId) return { standing: "gone" };
      if (tenant.status !== "active") return { standing: "tenant_suspended" };
      return { standing: application.status === "active" ? "good" : "application_disabled" };
    },
    { entries: 10_000, ttlMs: staleMs },
  );
  return async ({ tenantId, applicationId }) =>
    (await standings.get(`${tenantId} ${applicationId}`))?.standing ?? "gone";
}
