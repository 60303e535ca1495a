import type { Vault } from "../vault.ts";
import { everySecret, type SecretDeps } from "./every-secret.ts";
import type { SealedSecret } from "./sealed-secret.ts";

/** How many of all secrets cannot be opened with the master keys that are configured. */
export async function countUnopened(deps: SecretDeps & { vault: Vault }): Promise<number> {
  let count = 0;
  for await (const secret of everySecret(deps)) if (opened(deps.vault, secret) === null) count += 1;
  return count;
}

/** What a secret says; null where it cannot be opened. */
export function opened(vault: Pick<Vault, "open">, { sealed, place }: SealedSecret): string | null {
  try {
    return vault.open(sealed, place);
  } catch {
    return null;
  }
}
