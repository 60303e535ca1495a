import type { Clock } from "../clock.ts";
import type { SigningKey, SigningKeyMint, SigningKeyStore } from "./signing-key.ts";

/** The signing keys in force. The first caller ever makes an active one and the next one. */
export async function ensureSigningKeys(deps: {
  signingKeys: SigningKeyStore;
  mintSigningKey: SigningKeyMint;
  clock: Clock;
}): Promise<SigningKey[]> {
  const present = await deps.signingKeys.list();
  if (present.length > 0) return present;
  const nowMs = deps.clock.nowMs();
  const [active, next] = await Promise.all([deps.mintSigningKey(), deps.mintSigningKey()]);
  await deps.signingKeys.seed([
    { ...active, state: "active", publishedAtMs: nowMs, activatedAtMs: nowMs, retiredAtMs: null },
    { ...next, state: "next", publishedAtMs: nowMs, activatedAtMs: null, retiredAtMs: null },
  ]);
  return deps.signingKeys.list();
}
