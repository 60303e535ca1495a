import type { Vault } from "../vault.ts";
import { everySecret, type SecretDeps } from "./every-secret.ts";
import type { SealedSecret, SecretKind } from "./sealed-secret.ts";
import { opened } from "./unopened.ts";

/** So many of those that cannot be opened are named. */
const mostNamed = 100;

export type RewrapResult = {
  dry_run: boolean;
  /** False: it was interrupted. */
  complete: boolean;
  secrets: number;
  /** Sealed under the first master key already. */
  current: number;
  /** Sealed anew, or with dry_run what would be. */
  rewrapped: number;
  /** Removed by somebody meanwhile. */
  gone: number;
  unopened: number;
  unopened_secrets: { kind: SecretKind; tenant_id: string | null; id: string }[];
};

/**
 * Seals every secret under the first master key that is sealed under another one. Each is replaced only if it is still
 * what was opened, so a change at the same moment wins, and is looked at again. What is done stays done: whoever calls again
 * finds the rest.
 */
export async function rewrapSecrets(
  deps: SecretDeps & { vault: Vault },
  { dryRun, signal }: { dryRun: boolean; signal: AbortSignal },
  onProgress: (result: RewrapResult) => void = () => {},
): Promise<RewrapResult> {
  const result: RewrapResult = {
    ...{ dry_run: dryRun, complete: false, secrets: 0, current: 0, rewrapped: 0, gone: 0, unopened: 0 },
    unopened_secrets: [],
  };
  for await (const secret of everySecret(deps)) {
    if (signal.aborted) return result;
    const outcome = await rewrapOne(deps, secret, dryRun);
    result.secrets += 1;
    result[outcome] += 1;
    if (outcome === "unopened" && result.unopened_secrets.length < mostNamed) {
      const { kind, tenantId, id } = secret;
      result.unopened_secrets.push({ kind, tenant_id: tenantId, id });
    }
    onProgress(result);
  }
  return { ...result, complete: true };
}

async function rewrapOne(
  { secrets, vault }: SecretDeps & { vault: Vault },
  first: SealedSecret,
  dryRun: boolean,
): Promise<"current" | "rewrapped" | "gone" | "unopened"> {
  for (let secret: SealedSecret | null = first; secret !== null; secret = await secrets.again(secret)) {
    const text = opened(vault, secret);
    if (text === null) return "unopened";
    if (vault.isCurrent(secret.sealed)) return "current";
    if (dryRun || (await secrets.reseal(secret, vault.seal(text, secret.place))) === "resealed")
      return "rewrapped";
  }
  return "gone";
}
