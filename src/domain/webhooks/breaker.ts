/**
 * When an endpoint is left alone. A receiver with little traffic never comes that far, however long it fails: its attempts
 * lie too far apart, and its deliveries end by their own schedule.
 */
export type BreakerRules = {
  /** So many attempts in a row failed within `withinMs`, the first of them at least `leastMs` ago. */
  leastFailures: number;
  leastMs: number;
  withinMs: number;
  /** From the opening to the first probe; each one that fails doubles the wait, up to the longest. All ±20 %. */
  firstWaitMs: number;
  longestWaitMs: number;
};

export const breakerRules: BreakerRules = {
  leastFailures: 20,
  leastMs: 30_000,
  withinMs: 600_000,
  firstWaitMs: 10_000,
  longestWaitMs: 300_000,
};

/** How an endpoint has answered lately. */
export type EndpointHealth = {
  /** half_open: a probe is on its way. */
  breaker: "closed" | "open" | "half_open";
  /** Attempts that failed since the last that did not. */
  failuresInARow: number;
  failingSinceMs: number | null;
  openedAtMs: number | null;
  nextProbeAtMs: number | null;
  /** Deliveries that wait for the breaker to close, or to go back to the queue after it has. */
  parked: number;
};

export type BreakersTended = {
  /** Deliveries that went back to the queue since their breaker closed. */
  released: number;
  probes: number;
  /** Deliveries that were parked for too long, and are dead letters now. */
  buried: number;
  nextDueAtMs: number | null;
};

export type BreakerDepth = { open: number; parked: number };

export type Breakers = {
  /** Takes one step for every webhook that is due: a probe, a stretch of deliveries back to the queue, or dead letters. */
  tend(nowMs: number): Promise<BreakersTended>;
  depth(): Promise<BreakerDepth>;
  /** Webhooks whose breaker is open, or whose parked deliveries go back to the queue; the next to be looked at first. */
  troubled(limit: number): Promise<{ tenantId: string; webhookId: string }[]>;
  health(tenantId: string, webhookId: string): Promise<EndpointHealth>;
};

/** A webhook's health as commands show it. */
export function healthResource(health: EndpointHealth, shown: (ms: number) => string) {
  const instant = (ms: number | null): string | null => (ms === null ? null : shown(ms));
  return {
    breaker: health.breaker,
    failures_in_a_row: health.failuresInARow,
    failing_since: instant(health.failingSinceMs),
    opened_at: instant(health.openedAtMs),
    next_probe_at: instant(health.nextProbeAtMs),
    parked: health.parked,
  };
}
