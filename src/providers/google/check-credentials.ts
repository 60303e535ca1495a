import type { Clock } from "../../domain/clock.ts";
import type { GoogleCredentials } from "../../domain/providers/provider.ts";
import { createWalletApi } from "./wallet-api.ts";

/**
 * Asks Google whether these credentials work: for a token, and for a look at the issuer's classes. Changes nothing.
 * Throws `provider_credentials_invalid` with Google's reason, or what says that Google could not be asked.
 */
export async function checkGoogleCredentials(
  { clock, proxy = null }: { clock: Clock; proxy?: URL | null },
  credentials: GoogleCredentials,
  signal: AbortSignal,
): Promise<void> {
  const api = createWalletApi({ clock, proxy });
  try {
    await api.checkAccess(credentials, signal);
  } finally {
    await api.close();
  }
}
