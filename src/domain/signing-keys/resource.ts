import { isoInstant } from "../clock.ts";
import { removedAtMs, safeToActivateAtMs, tokensExpiredAtMs } from "./lifetimes.ts";
import type { SigningKey } from "./signing-key.ts";

/** A signing key as commands show it; nothing of its private half. */
export function signingKeyResource(key: SigningKey) {
  const instant = (ms: number | null): string | null => (ms === null ? null : isoInstant(ms));
  return {
    kid: key.kid,
    state: key.state,
    published_at: isoInstant(key.publishedAtMs),
    activated_at: instant(key.activatedAtMs),
    retired_at: instant(key.retiredAtMs),
    /** Before this, verifiers with a cached key set would refuse its tokens. */
    safe_to_activate_at: key.state === "next" ? isoInstant(safeToActivateAtMs(key)) : null,
    /** Before this, `keys remove` refuses. */
    tokens_expire_by: instant(tokensExpiredAtMs(key)),
    removed_at: instant(removedAtMs(key)),
  };
}
