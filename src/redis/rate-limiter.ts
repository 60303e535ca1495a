import { randomUUID } from "node:crypto";
import type { RateLimiter } from "../domain/rate-limit.ts";
import { asUnavailable } from "./connection.ts";
import type { StoreParts } from "./store.ts";

/** A sliding window in Redis, so that all processes count together. */
export function createTokenRateLimiter(
  { connection, keys, run }: Pick<StoreParts, "connection" | "keys" | "run">,
  limit: { requests: number; windowMs: number },
): RateLimiter {
  return {
    async forget(address) {
      try {
        await connection.del(keys.tokenRate(address));
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    async take(address, nowMs) {
      const reply = await run(
        "take-token-turn",
        [keys.tokenRate(address)],
        [nowMs, Math.ceil(limit.windowMs), limit.requests, `${nowMs}:${randomUUID()}`],
      );
      const [allowed, remaining, resetMs] = reply as [number, number, number];
      return {
        allowed: allowed === 1,
        limit: limit.requests,
        remaining,
        resetSeconds: Math.ceil(resetMs / 1000),
      };
    },
  };
}
