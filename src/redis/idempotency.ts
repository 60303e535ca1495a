import type { IdempotencyStore } from "../domain/idempotency.ts";
import { asUnavailable } from "./connection.ts";
import type { StoreParts } from "./store.ts";

export function createIdempotencyStore({ connection, keys }: StoreParts): IdempotencyStore {
  return {
    async recall(tenantId, claim) {
      try {
        const key = keys.idempotency(tenantId, claim.scope);
        const [fingerprint, response] = await connection.hmget(key, "fingerprint", "response");
        if (fingerprint === null || fingerprint === undefined) return null;
        return fingerprint === claim.fingerprint ? { response: response ?? "" } : "reused";
      } catch (error) {
        throw asUnavailable(error);
      }
    },
  };
}
