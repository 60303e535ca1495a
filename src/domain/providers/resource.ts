import { isoInstant } from "../clock.ts";
import { isDemoMode, type ProviderConfiguration } from "./configuration.ts";

/** A provider configuration as commands show it; nothing of its credentials. */
export function providerResource(configuration: ProviderConfiguration) {
  return {
    wallet: configuration.wallet,
    enabled: configuration.enabled,
    sandbox: configuration.sandbox,
    ...configuration.summary,
    ...(configuration.wallet === "google" && { demo_mode: isDemoMode(configuration) }),
    updated_at: isoInstant(configuration.updatedAtMs),
  };
}
