import { type IdempotencyStore, idempotencyRetentionSeconds } from "../domain/idempotency.ts";
import { asUnavailable } from "./connection.ts";
import type { StoreParts } from "./store.ts";

export function createIdempotencyStore({ connection, keys, run }: StoreParts): IdempotencyStore {
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
    async keep(tenantId, claim, response) {
      const reply = (await run(
        "keep-answer",
        [keys.idempotency(tenantId, claim.scope)],
        [claim.fingerprint, response, idempotencyRetentionSeconds],
      )) as ["kept" | "replayed" | "key_reused", string];
      if (reply[0] === "key_reused") return "reused";
      return { response: reply[1], replayed: reply[0] === "replayed" };
    },
  };
}
