import { Redis } from "ioredis";

async function once<Result>(url: string, action: (redis: Redis) => Promise<Result>): Promise<Result> {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: 1000,
    commandTimeout: 1000,
  });
  redis.on("error", () => {});
  try {
    await redis.connect();
    return await action(redis);
  } finally {
    redis.disconnect();
  }
}

/** Looks at a Redis that may or may not be there, over a connection of its own. */
export const redisProbe = {
  async ping(url: string): Promise<void> {
    await once(url, (redis) => redis.ping());
  },

  /** Stops the server at `url` if it is the one that keeps its data in `dataDir`, and waits until it is gone. */
  async shutdown(url: string, dataDir: string): Promise<void> {
    try {
      await once(url, async (redis) => {
        const [, dir] = (await redis.config("GET", "dir")) as [string, string];
        if (dir !== dataDir) return;
        const gone = new Promise<void>((resolve) => redis.once("close", () => resolve()));
        await redis.shutdown("NOSAVE").catch(() => {});
        await gone;
      });
    } catch {
      // Nobody answers there, or somebody else does.
    }
  },
};
