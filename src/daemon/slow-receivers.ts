/** Keeps receivers that answer slowly, or not at all, from having all the hands that deliveries have. */
export type SlowReceivers = {
  /** How long a delivery has to wait before it asks for a hand again; 0 when it may have one now. */
  waitMs(receiver: string): number;
  /** A hand is given to a delivery; call what it returns when that is free again. */
  begin(receiver: string): () => void;
};

/** Who takes longer is slow, until the next answer that comes sooner. */
const slowMs = 1000;

/** So many are remembered between their deliveries. */
const mostKnown = 10_000;

/**
 * Whoever answers in time has as many of the `most` hands as there are. A slow one has some, which is plenty for what it can
 * take, and all slow ones together have half. What they wait for grows with how long their hands are in use already, so that
 * a long queue for somebody who hangs is not looked at again and again.
 */
export function createSlowReceivers(options: { most: number; nowMs?: () => number }): SlowReceivers {
  const { most, nowMs = () => performance.now() } = options;
  const mostOfOne = Math.max(1, Math.floor(most / 20));
  const mostOfAll = Math.max(1, Math.floor(most / 2));
  const known = new Set<string>();
  /** The instants at which a receiver's hands were given, the oldest first. */
  const inUse = new Map<string, Set<{ sinceMs: number }>>();

  const longestMs = (receiver: string): number => {
    const [oldest] = inUse.get(receiver) ?? [];
    return oldest === undefined ? 0 : nowMs() - oldest.sinceMs;
  };
  const isSlow = (receiver: string): boolean => known.has(receiver) || longestMs(receiver) > slowMs;
  const handsOfSlow = (): number => {
    let count = 0;
    for (const [receiver, hands] of inUse) if (isSlow(receiver)) count += hands.size;
    return count;
  };

  return {
    waitMs(receiver) {
      if (!isSlow(receiver)) return 0;
      const own = inUse.get(receiver)?.size ?? 0;
      if (own < mostOfOne && handsOfSlow() < mostOfAll) return 0;
      return Math.max(slowMs, longestMs(receiver));
    },
    begin(receiver) {
      const hand = { sinceMs: nowMs() };
      const hands = inUse.get(receiver) ?? new Set();
      inUse.set(receiver, hands.add(hand));
      return () => {
        hands.delete(hand);
        if (hands.size === 0) inUse.delete(receiver);
        if (nowMs() - hand.sinceMs <= slowMs) known.delete(receiver);
        else known.add(receiver);
        const [first = ""] = known;
        if (known.size > mostKnown) known.delete(first);
      };
    },
  };
}
