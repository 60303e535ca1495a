import type { Clock } from "../clock.ts";
import type { ProviderConfiguration, ProviderConfigurationStore } from "./configuration.ts";
import { findProvider, type NamedProvider, noSuchProvider } from "./find.ts";

type Deps = { providerConfigurations: ProviderConfigurationStore; clock: Clock };

/** Keeps a tenant's passes from a wallet, within seconds; its credentials stay. Work that comes to it meanwhile fails. */
export function disableProvider(deps: Deps, named: NamedProvider) {
  return setEnabled(deps, named, false);
}

/** Lets a tenant's passes go to a wallet again. */
export function enableProvider(deps: Deps, named: NamedProvider) {
  return setEnabled(deps, named, true);
}

/** `changed` is false where it was so already. Rejects with not_found. */
async function setEnabled(
  deps: Deps,
  named: NamedProvider,
  enabled: boolean,
): Promise<{ configuration: ProviderConfiguration; changed: boolean }> {
  const outcome = await deps.providerConfigurations.setEnabled(named, enabled, deps.clock.nowMs());
  if (outcome === "gone") throw noSuchProvider(named);
  return { configuration: await findProvider(deps, named), changed: outcome === "changed" };
}
