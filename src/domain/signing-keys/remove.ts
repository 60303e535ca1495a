import { type Clock, isoInstant } from "../clock.ts";
import { PasswrightError } from "../errors.ts";
import { findKey } from "./find.ts";
import { tokensExpiredAtMs } from "./lifetimes.ts";
import type { SigningKey, SigningKeyStore } from "./signing-key.ts";

/**
 * Removes a retiring key before the scheduler does. Rejects with not_found, and with invalid_state for a key that is
 * needed: the active one, the next one, and a retiring one whose last token has not expired, naming the time.
 */
export async function removeKey(
  deps: { signingKeys: SigningKeyStore; clock: Clock },
  kid: string,
): Promise<SigningKey> {
  const key = findKey(await deps.signingKeys.list(), kid);
  const reason = whyNot(key, deps.clock.nowMs());
  if (reason !== null) throw new PasswrightError("invalid_state", reason);
  await deps.signingKeys.remove([kid]);
  return key;
}

function whyNot(key: SigningKey, nowMs: number): string | null {
  const leaked = `If it has leaked: passwright keys rotate --compromised ${key.kid}`;
  if (key.state === "active")
    return `${key.kid} signs the tokens. Rotate first: passwright keys rotate. ${leaked}`;
  if (key.state === "next") return `${key.kid} is the next key, of which there must always be one. ${leaked}`;
  const expiredAtMs = tokensExpiredAtMs(key) ?? 0;
  if (nowMs >= expiredAtMs) return null;
  return `Tokens that ${key.kid} signed are valid until ${isoInstant(expiredAtMs)}; from then on it can be removed. ${leaked}`;
}
