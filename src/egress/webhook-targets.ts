import type { TargetPolicy } from "../domain/webhooks/create.ts";
import { type AllowedRange, guardedLookup, literalRefusal, type Resolve } from "./target-guard.ts";

const patienceMs = 3000;

/**
 * The check at registration. Names that do not resolve yet, or not within three seconds, pass: the check at the
 * connection is the one that counts.
 */
export function createWebhookTargets(allowed: readonly AllowedRange[], resolver?: Resolve): TargetPolicy {
  const lookup = guardedLookup(allowed, resolver);
  return {
    async refusal(url) {
      const literal = literalRefusal(url.hostname, allowed);
      if (literal !== null) return literal;
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve(null), patienceMs);
        lookup(url.hostname, {}, (error) => {
          clearTimeout(timer);
          resolve(error?.name === "TargetRefused" ? error.message : null);
        });
      });
    },
  };
}
