import type { Connection } from "../../src/redis/connection.ts";
import type { StoreParts } from "../../src/redis/store.ts";
import { keysOf } from "./store.ts";

/** Everything that a store holds: each key's content, who has what pending on it, and when it expires (ms; -1 never). */
export async function keySpace(
  parts: Pick<StoreParts, "connection" | "keys">,
): Promise<Record<string, unknown>> {
  const entries = (await keysOf(parts)).map(async (key) => {
    const [content, expiresAt] = await Promise.all([
      contentOf(parts.connection, key),
      parts.connection.pexpiretime(key),
    ]);
    return [key, { content, expiresAt }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function contentOf(connection: Connection, key: string): Promise<unknown> {
  switch (await connection.type(key)) {
    case "string":
      return connection.get(key);
    case "hash":
      return connection.hgetall(key);
    case "list":
      return connection.lrange(key, "0", "-1");
    case "set":
      return (await connection.smembers(key)).sort();
    case "zset":
      return connection.zrange(key, "0", "-1", "WITHSCORES");
    case "stream":
      return {
        entries: await connection.xrange(key, "-", "+"),
        pending: await pendingOf(connection, key),
      };
    default:
      throw new Error(`${key} is of a type that this store does not use`);
  }
}

/** Entry ids and who holds each, of all groups of a stream; not for how long, which changes by itself. */
async function pendingOf(connection: Connection, stream: string): Promise<string[]> {
  const groups = (await connection.xinfo("GROUPS", stream)) as string[][];
  const held = groups.map(async ([, group = ""]) => {
    const pending = (await connection.xpending(stream, group, "-", "+", 10_000)) as [string, string][];
    return pending.map(([entry, consumer]) => `${group} ${entry} ${consumer}`);
  });
  return (await Promise.all(held)).flat();
}
