import { createHash } from "node:crypto";
import { PasswrightError } from "./errors.ts";

/** How long a response is kept for repeats with the same Idempotency-Key. */
export const idempotencyRetentionSeconds = 24 * 60 * 60;

/**
 * The right to carry out a request once. `scope` names tenant, method, path and key without holding them;
 * `fingerprint` tells a repeat from another request under the same key. `brief`: repeats only need to know that it was
 * carried out, so the answer itself is not kept.
 */
export type IdempotencyClaim = { scope: string; fingerprint: string; brief?: true };

/** Claims a key for one request. `body` is the raw body: a repeat is the same bytes. */
export function claimKey(method: string, path: string, key: string, body: Uint8Array): IdempotencyClaim {
  return {
    scope: digest(`${method} ${path}\n${key}`),
    fingerprint: createHash("sha256").update(body).digest("base64url"),
  };
}

export type IdempotencyStore = {
  /** The kept answer to a request, «reused» when its key came with another body, null when there is none. */
  recall(tenantId: string, claim: IdempotencyClaim): Promise<{ response: string } | "reused" | null>;
  /** Keeps an answer that was found, not made; answers what is kept from now on, `replayed` when that was there before. */
  keep(
    tenantId: string,
    claim: IdempotencyClaim,
    response: string,
  ): Promise<{ response: string; replayed: boolean } | "reused">;
};

/**
 * The first answer to a request that was here before, or null. Asked before anything else is looked at: what a repeat is told
 * does not depend on what has happened since. The script that carries the request out asks again, in the same step.
 */
export async function recallAnswer(
  deps: { idempotency: IdempotencyStore },
  tenantId: string,
  claim: IdempotencyClaim | null,
): Promise<string | null> {
  if (claim === null) return null;
  const kept = await deps.idempotency.recall(tenantId, claim);
  if (kept === "reused") throw keyReused();
  return kept?.response ?? null;
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
