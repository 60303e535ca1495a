/** Where a caller stands in its window; `resetSeconds` until the next request is free again. */
export type RateLimitState = { allowed: boolean; limit: number; remaining: number; resetSeconds: number };

export type RateLimiter = {
  take(address: string, nowMs: number): Promise<RateLimitState>;
  /** Counts from nothing again for an address. */
  forget(address: string): Promise<void>;
};
