import type { SigningKey, SigningKeyMint } from "./signing-key.ts";

export type MintedKey = Awaited<ReturnType<SigningKeyMint>>;

/** A new key as the next one, public from now on. */
export function asNext(minted: MintedKey, nowMs: number): SigningKey {
  return { ...minted, state: "next", publishedAtMs: nowMs, activatedAtMs: null, retiredAtMs: null };
}
