import type { Clock } from "../clock.ts";
import { isoInstant } from "../clock.ts";
import { PasswrightError } from "../errors.ts";
import type { WalletKey } from "../templates/template.ts";
import { expiryThreshold } from "./certificate-expiry.ts";
import type { Credentials, ProviderConfiguration, ProviderConfigurationStore } from "./configuration.ts";
import { findProvider, type NamedProvider, noSuchProvider } from "./find.ts";

/** Checks a wallet's credentials as they would be before they are stored. Rejects with what is wrong. */
export type CredentialChecks = {
  [Wallet in WalletKey]: (credentials: Credentials[Wallet], signal: AbortSignal) => Promise<void>;
};

export type ProviderTest = {
  configuration: ProviderConfiguration;
  /** Null where the credentials work. */
  failure: { error: string; description: string; remedy: string } | null;
  /** A certificate that ends soon; null where there is none, or it has expired. */
  warning: string | null;
};

/**
 * Finds out whether the stored credentials work at this moment, also those of a disabled configuration. Changes nothing.
 * Rejects with not_found, and with unavailable while the store is away.
 */
export async function testProvider(
  deps: {
    providerConfigurations: Pick<ProviderConfigurationStore, "find" | "openCredentials">;
    credentialChecks: CredentialChecks;
    clock: Clock;
  },
  named: NamedProvider & { signal: AbortSignal },
): Promise<ProviderTest> {
  const configuration = await findProvider(deps, named);
  try {
    await check(deps, named);
    return { configuration, failure: null, warning: expiryWarning(configuration, deps.clock.nowMs()) };
  } catch (error) {
    if (!(error instanceof PasswrightError) || error.kind === "not_found" || error.code === "unavailable") {
      throw error;
    }
    const failure = { error: error.code, description: error.detail, remedy: remedyFor(error, named) };
    return { configuration, failure, warning: null };
  }
}

async function check(
  deps: Parameters<typeof testProvider>[0],
  named: NamedProvider & { signal: AbortSignal },
): Promise<void> {
  const { tenantId, wallet, signal } = named;
  const run = async <Wallet extends WalletKey>(name: Wallet): Promise<void> => {
    const credentials = await deps.providerConfigurations.openCredentials(tenantId, name);
    if (credentials === null) throw noSuchProvider(named);
    await deps.credentialChecks[name](credentials, signal);
  };
  await run(wallet);
}

function expiryWarning({ summary }: ProviderConfiguration, nowMs: number): string | null {
  const expiresAtMs = Date.parse(summary.expires_at ?? "");
  if (Number.isNaN(expiresAtMs) || expiryThreshold(expiresAtMs - nowMs) === null) return null;
  return `The certificate expires on ${isoInstant(expiresAtMs)}. Passes that are on phones stay there, but cannot be updated after that.`;
}

function remedyFor({ code, remedy }: PasswrightError, { tenantId, wallet }: NamedProvider): string {
  if (remedy !== undefined) return remedy;
  switch (code) {
    case "provider_unavailable":
      return "Nobody answered there. Try again, and look whether this machine may reach that address (of the sandbox: whether it runs).";
    case "provider_rate_limited":
      return "Try again in a while.";
    case "provider_credentials_invalid":
      return `Put the account right at Google, or give other credentials: \`passwright providers set ${wallet} --tenant ${tenantId}\`.`;
    default:
      return `Give other credentials: \`passwright providers set ${wallet} --tenant ${tenantId}\`.`;
  }
}
