import type { ProviderConfigurationStore } from "./configuration.ts";
import { type NamedProvider, noSuchProvider } from "./find.ts";

/** Forgets a tenant's credentials for a wallet for good, or rejects with not_found. */
export async function removeProvider(
  deps: { providerConfigurations: Pick<ProviderConfigurationStore, "remove"> },
  named: NamedProvider,
): Promise<void> {
  if (!(await deps.providerConfigurations.remove(named.tenantId, named.wallet))) throw noSuchProvider(named);
}
