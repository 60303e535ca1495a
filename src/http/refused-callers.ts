import { LRUCache } from "lru-cache";
import { PasswrightError } from "../domain/errors.ts";
import type { RateLimiter, RateLimitState } from "../domain/rate-limit.ts";

export type RefusedCallers = {
  /** Throws too_many_requests where an address has been refused too often lately: then nothing it sends is looked at. */
  requireWelcome(address: string, nowMs: number): void;
  /** Counts a refusal. */
  refuse(address: string, nowMs: number): Promise<void>;
};

const mostAddresses = 10_000;

/**
 * Limits callers by what they are refused, and not by what they send: a wallet that has much to say from few addresses must
 * be heard. The refusals of all processes count together; each remembers by itself who has had too many.
 */
export function createRefusedCallers(limiter: Pick<RateLimiter, "take">): RefusedCallers {
  const unwelcome = new LRUCache<string, { untilMs: number; limit: number }>({ max: mostAddresses });
  return {
    requireWelcome(address, nowMs) {
      const found = unwelcome.get(address);
      if (found === undefined) return;
      if (nowMs < found.untilMs) throw tooMany(found.limit, Math.ceil((found.untilMs - nowMs) / 1000));
      unwelcome.delete(address);
    },
    async refuse(address, nowMs) {
      const { allowed, remaining, limit, resetSeconds }: RateLimitState = await limiter.take(address, nowMs);
      if (!allowed || remaining === 0) {
        unwelcome.set(address, { untilMs: nowMs + 1000 * resetSeconds, limit });
      }
    },
  };
}

function tooMany(limit: number, retryAfterSeconds: number): PasswrightError {
  return new PasswrightError("too_many_requests", "Too many refused requests from this address.", {
    limit,
    retryAfterSeconds,
  });
}
