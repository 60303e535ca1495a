import { createHash } from "node:crypto";
import { PasswrightError } from "./errors.ts";

/** How long a response is kept for repeats with the same Idempotency-Key. */
export const idempotencyRetentionSeconds = 24 * 60 * 60;

/**
 * The right to carry out a request once. `scope` names tenant, method, path and key without holding them;
 * `fingerprint` tells a repeat from another request under the same key.
 */
export type IdempotencyClaim = { scope: string; fingerprint: string };

/** Claims a key for one request. `body` is the raw body: a repeat is the same bytes. */
export function claimKey(method: string, path: string, key: string, body: Uint8Array): IdempotencyClaim {
  return {
    scope: digest(`${method} ${path}\n${key}`),
    fingerprint: createHash("sha256").update(body).digest("base64url"),
  };
}

export function keyReused(): PasswrightError {
  return new PasswrightError(
    "idempotency_key_reused",
    "This Idempotency-Key came with another body before. Use a new key for a new request.",
  );
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
