import type { RateLimitState } from "../domain/rate-limit.ts";

/** Where a caller stands in its window, as every counted answer says it. */
export function rateLimitHeaders(window: RateLimitState): Record<string, string> {
  return {
    "RateLimit-Limit": String(window.limit),
    "RateLimit-Remaining": String(Math.max(0, window.remaining)),
    "RateLimit-Reset": String(window.resetSeconds),
  };
}
