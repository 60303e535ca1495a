/** Watches that a loop goes round, not only that its process is there. */
export type TurnWatch = {
  /** The loop has got something done, or found that there is nothing to do. */
  turned(): void;
  /** The loop is being ended: from now on it need not turn. */
  ending(): void;
  sinceTurnMs(): number;
  health(): { healthy: boolean; facts: Record<string, unknown> };
};

/** `nowMs` counts evenly: a clock that somebody sets would make a loop look stalled. */
export function createTurnWatch(options: {
  loop: string;
  stalledAfterMs: number;
  nowMs?: () => number;
}): TurnWatch {
  const { loop, stalledAfterMs, nowMs = () => performance.now() } = options;
  let turnedAtMs = nowMs();
  let isEnding = false;
  const sinceTurnMs = (): number => nowMs() - turnedAtMs;
  return {
    turned() {
      turnedAtMs = nowMs();
    },
    ending() {
      isEnding = true;
    },
    sinceTurnMs,
    health() {
      if (isEnding) return { healthy: true, facts: { status: "stopping" } };
      const sinceMs = sinceTurnMs();
      if (sinceMs < stalledAfterMs) return { healthy: true, facts: { status: "ok" } };
      const facts = {
        status: "stalled",
        loop,
        last_turn_seconds_ago: Math.round(sinceMs / 100) / 10,
        limit_seconds: stalledAfterMs / 1000,
      };
      return { healthy: false, facts };
    },
  };
}
