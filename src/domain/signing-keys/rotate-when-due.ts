import type { Clock } from "../clock.ts";
import { safeToActivateAtMs } from "./lifetimes.ts";
import { rotateKey } from "./rotate.ts";
import { mostPublishedKeys, type SigningKeyMint, type SigningKeyStore } from "./signing-key.ts";

/** Rotates when the active key has signed for `intervalMs`; answers whether it did. Waits for what is not safe yet. */
export async function rotateKeyWhenDue(
  deps: { signingKeys: SigningKeyStore; mintSigningKey: SigningKeyMint; clock: Clock },
  intervalMs: number,
): Promise<boolean> {
  const keys = await deps.signingKeys.list();
  const active = keys.find(({ state }) => state === "active");
  const next = keys.find(({ state }) => state === "next");
  // An empty store gets its keys from the first process that serves.
  if (active === undefined || next === undefined || keys.length >= mostPublishedKeys) return false;
  const dueAtMs = (active.activatedAtMs ?? active.publishedAtMs) + intervalMs;
  if (deps.clock.nowMs() < Math.max(dueAtMs, safeToActivateAtMs(next))) return false;
  await rotateKey(deps, { force: false, dryRun: false });
  return true;
}
