import type { CallbackVerifier } from "../../../domain/callbacks/callback.ts";
import type { Clock } from "../../../domain/clock.ts";
import type { Log } from "../../../domain/log.ts";
import { createKeyCache, type KeySource } from "./key-cache.ts";
import { verifyCallback } from "./verify.ts";

/** Verifies with the keys of whoever the tenant's account is with: what the sandbox signs is nothing to Google's, nor the other way. */
export function createCallbackVerifier(
  sources: { google: KeySource; sandbox: KeySource },
  deps: { clock: Clock; log: Log },
): CallbackVerifier {
  const google = createKeyCache(sources.google, deps);
  const sandboxes = createKeyCache(sources.sandbox, deps);
  return {
    async verify(body, { issuerId, sandbox }) {
      const rootKeys = await (sandbox ? sandboxes : google).keys();
      return verifyCallback(body, { rootKeys, issuerId, nowMs: deps.clock.nowMs() });
    },
  };
}
