import { isoInstant } from "../clock.ts";
import type { ProviderConfiguration } from "./configuration.ts";

/** A provider configuration as commands show it; nothing of its credentials. */
export function providerResource(configuration: ProviderConfiguration) {
  return {
    wallet: configuration.wallet,
    enabled: configuration.enabled,
    sandbox: configuration.sandbox,
    ...configuration.summary,
    updated_at: isoInstant(configuration.updatedAtMs),
  };
}
