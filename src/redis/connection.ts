import { Cluster, Redis } from "ioredis";
import { PasswrightError } from "../domain/errors.ts";

export type Connection = Redis | Cluster;

type Purpose = {
  /** Shown by CLIENT LIST. */
  name: string;
  /** A connection that waits inside Redis must not be cut for it. */
  blocking?: boolean;
};

/**
 * Connects to `redis://`, `rediss://`, `redis+sentinel://host:port,…/master` or `redis+cluster://host:port,…`.
 * Commands fail at once while there is no connection, and after a second without an answer: a caller that waits
 * for Redis in silence is worse off than one that is told. The client keeps reconnecting for as long as it lives.
 */
export function openConnection(url: string, purpose: Purpose): Connection {
  const connection = connect(url, optionsFor(purpose));
  // Without a listener a failed dial ends the process; commands report the failure to whoever sent them.
  connection.on("error", () => {});
  return connection;
}

function optionsFor(purpose: Purpose) {
  return {
    connectionName: `passwright:${purpose.name}`,
    enableOfflineQueue: false,
    connectTimeout: 2000,
    maxRetriesPerRequest: 0,
    retryStrategy: (times: number) => Math.min(50 * 2 ** Math.min(times, 6), 2000),
    ...(purpose.blocking !== true && { commandTimeout: 1000, enableAutoPipelining: true }),
  };
}

function connect(url: string, options: ReturnType<typeof optionsFor>): Connection {
  if (url.startsWith("redis://") || url.startsWith("rediss://")) return new Redis(url, options);
  const parsed = parseHosts(url);
  if (url.startsWith("redis+sentinel://")) {
    const [name = "mymaster"] = parsed.path.split("/").filter((part) => part !== "");
    return new Redis({ ...options, ...parsed.credentials, sentinels: parsed.hosts, name });
  }
  const { enableOfflineQueue, retryStrategy, ...perNode } = options;
  return new Cluster(parsed.hosts, {
    enableOfflineQueue,
    clusterRetryStrategy: retryStrategy,
    enableAutoPipelining: options.enableAutoPipelining ?? false,
    redisOptions: { ...perNode, ...parsed.credentials },
  });
}

function parseHosts(url: string) {
  const match =
    /^redis\+(?:sentinel|cluster):\/\/(?:(?<user>[^:@]*):(?<password>[^@]*)@)?(?<hosts>[^/?]+)(?<path>[^?]*)/.exec(
      url,
    );
  const groups = match?.groups;
  if (groups === undefined) {
    throw new PasswrightError("invalid_configuration", "The Redis URL is none of the documented forms.");
  }
  const hosts = (groups.hosts ?? "").split(",").map((entry) => {
    const { hostname, port } = new URL(`redis://${entry}`);
    return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 6379) };
  });
  const credentials = {
    ...(groups.user && { username: decodeURIComponent(groups.user) }),
    ...(groups.password && { password: decodeURIComponent(groups.password) }),
  };
  return { hosts, credentials, path: groups.path ?? "" };
}

/** Resolves once commands can be sent; rejects with `unavailable` after `timeoutMs`. */
export async function whenReady(connection: Connection, timeoutMs: number): Promise<void> {
  if (connection.status === "ready") return;
  let lastError: unknown;
  const remember = (error: unknown): void => {
    lastError = error;
  };
  connection.on("error", remember);
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new PasswrightError("unavailable", "Redis does not answer.", { cause: lastError }));
      }, timeoutMs);
      connection.once("ready", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  } finally {
    connection.off("error", remember);
  }
}

/** Redis being away, as everybody else knows it: `unavailable`. Errors of our own making pass through. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof PasswrightError) return error;
  const text = error instanceof Error ? error.message : "";
  const away =
    /Stream isn't writeable|Connection is closed|Command timed out|ECONN|ENOENT|EPIPE|ETIMEDOUT|max retries|LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|OOM|MISCONF|NOREPLICAS|failed to refresh slots/i.test(
      text,
    );
  if (!away) return error;
  return new PasswrightError("unavailable", "The store does not answer at the moment. Try again shortly.", {
    cause: error,
    retryAfterSeconds: 1,
  });
}
