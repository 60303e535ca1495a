import type { Clock } from "../clock.ts";
import type { ProviderConfiguration, ProviderConfigurationStore } from "./configuration.ts";
import { findProvider, noSuchProvider } from "./find.ts";

/**
 * Says whether a tenant's Google issuer is in demo mode, which Google itself tells nobody: as long as it is, only its test
 * accounts can save passes. `changed` is false where that was known. Rejects with not_found.
 */
export async function setDemoMode(
  deps: { providerConfigurations: ProviderConfigurationStore; clock: Clock },
  { tenantId, demoMode }: { tenantId: string; demoMode: boolean },
): Promise<{ configuration: ProviderConfiguration; changed: boolean }> {
  const named = { tenantId, wallet: "google" } as const;
  const outcome = await deps.providerConfigurations.setDemoMode(named, demoMode, deps.clock.nowMs());
  if (outcome === "gone") throw noSuchProvider(named);
  return { configuration: await findProvider(deps, named), changed: outcome === "changed" };
}
