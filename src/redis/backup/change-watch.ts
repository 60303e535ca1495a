import type { Redis } from "ioredis";
import { PasswrightError } from "../../domain/errors.ts";
import { asUnavailable, type Connection, openToNodeOf } from "../connection.ts";

/** Hears of every change of keys with certain beginnings, on the node that holds them. */
export type ChangeWatch = {
  /** For commands to that node. */
  node: Redis;
  /** The keys that were changed since the last call; all of those whose change was answered before this call. */
  changed(): Promise<Set<string>>;
  close(): void;
};

/** Where Redis says which keys its clients have to forget. */
const invalidations = "__redis__:invalidate";

/**
 * Client-side caching as a change feed (Redis: CLIENT TRACKING, broadcasting mode): the server names each key that
 * changes, whoever changes it, without a setting of its own. It queues what changed before it answers what changed it, and
 * the listening connection gets its pong behind that: so a ping there is a look at everything before.
 */
export async function watchChanges(
  connection: Connection,
  key: string,
  beginnings: readonly string[],
): Promise<ChangeWatch> {
  const [node, ear] = await openToNodeOf(connection, key);
  let heard = new Set<string>();
  let isDeaf = false;
  ear.on("messageBuffer", (channel: Buffer, keys: unknown) => {
    if (channel.toString() !== invalidations) return;
    // Null: all keys are gone.
    if (!Array.isArray(keys)) isDeaf = true;
    else for (const name of keys) heard.add(String(name));
  });
  for (const one of [node, ear]) {
    one.on("end", () => {
      isDeaf = true;
    });
  }
  const close = (): void => {
    node.disconnect();
    ear.disconnect();
  };
  try {
    const id = String(await ear.client("ID"));
    await ear.subscribe(invalidations);
    const prefixes = beginnings.flatMap((beginning) => ["PREFIX", beginning]);
    await node.call("CLIENT", "TRACKING", "ON", "REDIRECT", id, "BCAST", ...prefixes);
  } catch (error) {
    close();
    throw notPermitted(error, "&__redis__:invalidate") ?? asUnavailable(error);
  }
  return {
    node,
    close,
    async changed() {
      try {
        await ear.ping();
      } catch (error) {
        throw asUnavailable(error);
      }
      if (isDeaf) {
        throw new PasswrightError(
          "unavailable",
          "The connection to Redis was lost, or all of its keys, while they were copied.",
        );
      }
      const changed = heard;
      heard = new Set();
      return changed;
    },
  };
}

/** A Redis user that may not do what it takes, with the remedy; null for any other error. */
export function notPermitted(error: unknown, permission: string): PasswrightError | null {
  if (!(error instanceof Error) || !/^NOPERM|No permissions|has no permissions/.test(error.message))
    return null;
  return new PasswrightError(
    "invalid_configuration",
    `The Redis user lacks a permission that this takes: grant it ${permission}.`,
    { cause: error },
  );
}
