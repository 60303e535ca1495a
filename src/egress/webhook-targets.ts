import type { TargetPolicy } from "../domain/webhooks/create.ts";
import { type AllowedRange, guardedLookup, literalRefusal } from "./target-guard.ts";

/** The check at registration. Names that do not resolve yet pass: the check at the connection is the one that counts. */
export function createWebhookTargets(allowed: readonly AllowedRange[]): TargetPolicy {
  const lookup = guardedLookup(allowed);
  return {
    async refusal(url) {
      const literal = literalRefusal(url.hostname, allowed);
      if (literal !== null) return literal;
      return new Promise((resolve) => {
        lookup(url.hostname, {}, (error) => {
          resolve(error?.name === "TargetRefused" ? error.message : null);
        });
      });
    },
  };
}
