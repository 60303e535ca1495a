import { randomBytes } from "node:crypto";
import type { Test } from "tap";
import { createVault } from "../../src/crypto/vault.ts";
import { createIds, type Ids } from "../../src/domain/ids.ts";
import { type Connection, openConnection, whenReady } from "../../src/redis/connection.ts";
import { createKeys } from "../../src/redis/keys.ts";
import { defineScripts } from "../../src/redis/scripts.ts";
import type { StoreParts } from "../../src/redis/store.ts";
import { type SettableClock, settableClock } from "./clock.ts";

export type TestStore = StoreParts & {
  url: string;
  clock: SettableClock;
  ids: Ids;
  /** Another connection to the same Redis, closed with the test. `blocking`: for bells and subscriptions. */
  connect(purpose?: { blocking: boolean }): Connection;
  /** The same store as another process would have it: over a connection of its own. */
  another(): Promise<StoreParts>;
};

/** The address of the Redis that `npm test` starts for all tests. */
export function testRedisUrl(): string {
  const url = process.env.PASSWRIGHT_TEST_REDIS_URL;
  if (url === undefined) throw new Error("PASSWRIGHT_TEST_REDIS_URL is not set. Run: npm test -- FILE");
  return url;
}

/**
 * A store on the tests' Redis (or the one at `url`) under a random key prefix. When the test ends, its keys are
 * removed and all its connections closed. The clock stands still until the test moves it.
 */
export async function openStore(
  t: Test,
  options: { url?: string; partitions?: number } = {},
): Promise<TestStore> {
  const url = options.url ?? testRedisUrl();
  const keys = createKeys({
    prefix: `test-${randomBytes(6).toString("hex")}`,
    partitions: options.partitions ?? 2,
  });
  const vault = createVault([randomBytes(32)]);
  const clock = settableClock();
  const connect = (purpose = { blocking: false }): Connection => {
    const connection = openConnection(url, { name: "test", ...purpose });
    t.teardown(() => connection.disconnect());
    return connection;
  };
  // The common Redis does not go away: a machine that is slow at the moment must not look like one that did.
  const hurried = options.url !== undefined;
  const another = async (): Promise<StoreParts> => {
    const connection = connect({ blocking: !hurried });
    await whenReady(connection, 30_000);
    return { connection, keys, run: defineScripts(connection), vault };
  };
  const parts = await another();
  t.teardown(async () => {
    // A test may have ended its Redis; then there is nothing to remove.
    if (parts.connection.status === "ready") await removeKeys(parts);
  });
  const ids = createIds({ clock, sameHome: (a, b) => keys.partitionOf(a) === keys.partitionOf(b) });
  return { ...parts, url, clock, ids, connect, another };
}

async function removeKeys(parts: Pick<StoreParts, "connection" | "keys">): Promise<void> {
  for (const key of await keysOf(parts)) await parts.connection.unlink(key);
}

/** Every key of the store, sorted. */
export async function keysOf({ connection, keys }: Pick<StoreParts, "connection" | "keys">) {
  const found = new Set<string>();
  const nodes = "nodes" in connection ? connection.nodes("master") : [connection];
  for (const node of nodes) {
    let cursor = "0";
    do {
      const [next, batch] = await node.scan(cursor, "MATCH", `${keys.prefix}:*`, "COUNT", 1000);
      for (const key of batch) found.add(key);
      cursor = next;
    } while (cursor !== "0");
  }
  return [...found].sort();
}
