import { randomUUID } from "node:crypto";
import type { RateLimiter } from "../domain/rate-limit.ts";
import { asUnavailable } from "./connection.ts";
import type { StoreParts } from "./store.ts";

type Parts = Pick<StoreParts, "connection" | "keys" | "run">;
type Limit = { requests: number; windowMs: number };

/** Counts requests for tokens. */
export function createTokenRateLimiter(parts: Parts, limit: Limit): RateLimiter {
  return slidingWindow(parts, parts.keys.tokenRate, limit);
}

/** Counts what devices ask without a token. */
export function createDeviceRateLimiter(parts: Parts, limit: Limit): RateLimiter {
  return slidingWindow(parts, parts.keys.deviceRate, limit);
}

/** Counts call-backs of wallets that are refused: apart, since neither they nor what phones ask may use up the other. */
export function createRefusedCallbackRateLimiter(parts: Parts, limit: Limit): RateLimiter {
  return slidingWindow(parts, parts.keys.refusedCallbackRate, limit);
}

/** A sliding window in Redis, at the key of each address, so that all processes count together. */
function slidingWindow(
  { connection, run }: Parts,
  window: (address: string) => string,
  limit: Limit,
): RateLimiter {
  return {
    async forget(address) {
      try {
        await connection.del(window(address));
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    async take(address, nowMs) {
      const reply = await run(
        "take-token-turn",
        [window(address)],
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
