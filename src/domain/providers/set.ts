import type { Clock } from "../clock.ts";
import type { WalletKey } from "../templates/template.ts";
import { findTenant } from "../tenants/find.ts";
import type { TenantStore } from "../tenants/tenant.ts";
import type { Credentials, ProviderConfiguration, ProviderConfigurationStore } from "./configuration.ts";

/** Stores checked credentials as a tenant's enabled configuration of a wallet, in place of an earlier one. */
export async function setProvider<Wallet extends WalletKey>(
  deps: { tenants: TenantStore; providerConfigurations: ProviderConfigurationStore; clock: Clock },
  input: {
    tenantId: string;
    wallet: Wallet;
    sandbox: boolean;
    /** What may be shown of the credentials. */
    summary: Record<string, string>;
    credentials: Credentials[Wallet];
  },
): Promise<ProviderConfiguration> {
  const tenant = await findTenant(deps, input.tenantId);
  const configuration = {
    tenantId: tenant.id,
    wallet: input.wallet,
    enabled: true,
    sandbox: input.sandbox,
    summary: input.summary,
    updatedAtMs: deps.clock.nowMs(),
  };
  await deps.providerConfigurations.save(configuration, input.credentials);
  return configuration;
}
