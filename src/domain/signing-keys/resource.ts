import { isoInstant } from "../clock.ts";
import { keySetLifetimeMs, type SigningKey } from "./signing-key.ts";

/** A signing key as commands show it; nothing of its private half. */
export function signingKeyResource(key: SigningKey) {
  return {
    kid: key.kid,
    state: key.state,
    published_at: isoInstant(key.publishedAtMs),
    activated_at: key.activatedAtMs === null ? null : isoInstant(key.activatedAtMs),
    retired_at: key.retiredAtMs === null ? null : isoInstant(key.retiredAtMs),
    /** Before this, verifiers with a cached key set would refuse its tokens. */
    safe_to_activate_at: key.state === "next" ? isoInstant(key.publishedAtMs + keySetLifetimeMs) : null,
  };
}
