import { type buildConnector, Pool } from "undici";

export type OriginPools = {
  /** The connections that are kept for an origin; call `giveBack` once what they are used for is over. */
  take(origin: string): { pool: Pool; giveBack(): void };
  /** Origins with a pool. */
  size(): number;
  close(): Promise<void>;
};

/**
 * A pool of connections for each origin, and of such pools `most`: whoever was not asked for the longest time gives its
 * connections back first. Pools in use are never cut, so for that while there may be more.
 */
export function createOriginPools(options: {
  most: number;
  connect: buildConnector.connector;
  keepAliveMs: number;
}): OriginPools {
  const { most, connect, keepAliveMs } = options;
  /** In the order of their last use. */
  const pools = new Map<string, { pool: Pool; inUse: number }>();

  const openPool = (origin: string): Pool =>
    new Pool(origin, {
      // One exchange per connection: a receiver's slow answers must not hold up those beside them.
      allowH2: false,
      // No limit for each origin: webhooks that share one must not wait for each other. Each has a limit of its own.
      connections: null,
      keepAliveTimeout: keepAliveMs,
      // Nor longer where the receiver asks for it: what it keeps open are our connections.
      keepAliveMaxTimeout: keepAliveMs,
      // There is one deadline for everything, and it is not these.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect,
    });

  function trim(): void {
    if (pools.size <= most) return;
    for (const [origin, { pool, inUse }] of pools) {
      if (inUse > 0) continue;
      pools.delete(origin);
      pool.destroy().catch(() => {});
      if (pools.size <= most) return;
    }
  }

  return {
    take(origin) {
      const entry = pools.get(origin) ?? { pool: openPool(origin), inUse: 0 };
      pools.delete(origin);
      pools.set(origin, entry);
      entry.inUse += 1;
      trim();
      return {
        pool: entry.pool,
        giveBack() {
          entry.inUse -= 1;
          trim();
        },
      };
    },
    size: () => pools.size,
    async close() {
      const all = [...pools.values()];
      pools.clear();
      await Promise.all(all.map(({ pool }) => pool.destroy()));
    },
  };
}
