import type { TargetPolicy } from "../domain/webhooks/target-url.ts";
import { portRefusal } from "./blocked-ports.ts";
import {
  type AllowedRange,
  guardedLookup,
  literalRefusal,
  type Resolve,
  TargetRefused,
} from "./target-guard.ts";

/** How long a registration waits for the resolver. */
const patienceMs = 3000;

/** Names that mean something on a private network only (RFC 6761 section 6.3, RFC 6762, RFC 8375, ICANN's `internal`). */
const privateName = /(?:^|\.)(?:localhost|local|internal|home\.arpa)\.?$/i;

/**
 * The check at registration. A name that does not resolve yet, or not in time, passes: the check at the connection is
 * the one that counts.
 */
export function createWebhookTargets(allowed: readonly AllowedRange[], resolve?: Resolve): TargetPolicy {
  const lookup = guardedLookup(allowed, resolve);
  return {
    async refusal(url) {
      const direct = portRefusal(url.port) ?? literalRefusal(url.hostname, allowed);
      if (direct !== null) return direct;
      const error = await failureOf(lookup, url.hostname);
      if (error instanceof TargetRefused) return error.message;
      const leadsNowhere = error !== null && privateName.test(url.hostname);
      return leadsNowhere ? `names ${url.hostname}, which only exists on private networks` : null;
    },
  };
}

/** Why a name cannot be dialled; null when it can, or when there is no telling yet. */
function failureOf(lookup: ReturnType<typeof guardedLookup>, hostname: string): Promise<Error | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), patienceMs);
    lookup(hostname, {}, (error) => {
      clearTimeout(timer);
      resolve(error);
    });
  });
}
