import { accessTokenLifetimeSeconds } from "../tokens/token.ts";
import { keySetLifetimeMs, type SigningKey } from "./signing-key.ts";

/** Every process serves a new key within this time, and knows of a removed one. */
export const propagationMs = 5000;

/** A process that could not read the keys for so long signs nothing any more. */
export const longestStaleMs = 60_000;

/** After a key has stopped signing for us all, its tokens live on, and clocks may differ by some minutes. */
const tokensOutliveMs = longestStaleMs + accessTokenLifetimeSeconds * 1000 + 4 * 60_000;

/** Retiring keys cost nothing: they stay much longer than their tokens. */
const retirementMs = 48 * 60 * 60 * 1000;

/** When the last verifier that cached a key set without this key has fetched one with it. */
export function safeToActivateAtMs(key: Pick<SigningKey, "publishedAtMs">): number {
  return key.publishedAtMs + propagationMs + keySetLifetimeMs;
}

/** When the last token that a retiring key signed has expired; null for keys that may sign, now or later. */
export function tokensExpiredAtMs(key: Pick<SigningKey, "retiredAtMs">): number | null {
  return key.retiredAtMs === null ? null : key.retiredAtMs + tokensOutliveMs;
}

/** When the scheduler removes a retiring key: never before its last token has expired. */
export function removedAtMs(key: Pick<SigningKey, "retiredAtMs">): number | null {
  return key.retiredAtMs === null ? null : key.retiredAtMs + Math.max(retirementMs, tokensOutliveMs);
}
