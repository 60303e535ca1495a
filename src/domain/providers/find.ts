import { PasswrightError } from "../errors.ts";
import type { WalletKey } from "../templates/template.ts";
import type { ProviderConfiguration, ProviderConfigurationStore } from "./configuration.ts";

export type NamedProvider = { tenantId: string; wallet: WalletKey };

/** A tenant's configuration of a wallet, or not_found. */
export async function findProvider(
  deps: { providerConfigurations: Pick<ProviderConfigurationStore, "find"> },
  named: NamedProvider,
): Promise<ProviderConfiguration> {
  const configuration = await deps.providerConfigurations.find(named.tenantId, named.wallet);
  if (configuration === null) throw noSuchProvider(named);
  return configuration;
}

export function noSuchProvider({ tenantId, wallet }: NamedProvider): PasswrightError {
  return new PasswrightError(
    "not_found",
    `The tenant has no configuration for ${wallet}. \`passwright providers set ${wallet} --tenant ${tenantId}\` makes one.`,
  );
}
