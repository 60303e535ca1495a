import { Cluster, Redis } from "ioredis";
import { PasswrightError } from "../domain/errors.ts";
import { coalesceWrites } from "./coalesced-writes.ts";

export type Connection = Redis | Cluster;

type Purpose = {
  /** Shown by CLIENT LIST. */
  name: string;
  /** A connection that waits inside Redis must not be cut for it. */
  blocking?: boolean;
  /** Large values are given the time that they take: nobody waits for an answer over HTTP. */
  patient?: boolean;
};

const patienceMs = 60_000;

const greetingMs = 1000;

/**
 * Connects to `redis://`, `rediss://`, `redis+sentinel://host:port,…/master` or `redis+cluster://host:port,…`.
 * Commands fail at once while there is no connection, and within a second without an answer: a caller that waits
 * for Redis in silence is worse off than one that is told. The client keeps reconnecting for as long as it lives.
 */
export function openConnection(url: string, purpose: Purpose): Connection {
  const connection = connect(url, optionsFor(purpose));
  if (purpose.blocking === true && connection instanceof Redis) limitGreeting(connection);
  // Without a listener a failed dial ends the process; commands report the failure to whoever sent them.
  connection.on("error", () => {});
  coalesceWrites(connection);
  return connection;
}

export function isCluster(connection: Connection): boolean {
  return connection instanceof Cluster;
}

/**
 * Two connections of one caller's own to the node that holds a key: one for commands, and one that can listen. They end
 * with the first trouble, since what was listened for would be missed meanwhile. Rejects with `unavailable`.
 */
export async function openToNodeOf(connection: Connection, key: string): Promise<[Redis, Redis]> {
  const node = connection instanceof Redis ? connection : await ownerOf(connection, key);
  const purpose = optionsFor({ name: "copy", patient: true });
  // Of RESP 3 the client drops what it has no command for.
  const options = { ...purpose, retryStrategy: () => null, lazyConnect: false, protocol: 2 } as const;
  const opened = [node.duplicate(options), node.duplicate(options)] as const;
  for (const one of opened) one.on("error", () => {});
  try {
    await Promise.all(opened.map((one) => whenReady(one, 5000)));
    return [...opened];
  } catch (error) {
    for (const one of opened) one.disconnect();
    throw error;
  }
}

/** The master that does not send elsewhere. */
async function ownerOf(cluster: Cluster, key: string): Promise<Redis> {
  for (const node of cluster.nodes("master")) {
    const isOwner = await node.exists(key).then(
      () => true,
      (error: Error) => {
        if (error.message.startsWith("MOVED")) return false;
        throw asUnavailable(error);
      },
    );
    if (isOwner) return node;
  }
  throw new PasswrightError("unavailable", "No node of the cluster answers for a partition.");
}

/**
 * Commands of a blocking connection have no time limit, and so those of the client's greeting have none either: a server
 * that takes the connection and says nothing would be waited for without end.
 */
function limitGreeting(connection: Redis): void {
  let timer: NodeJS.Timeout | undefined;
  connection.on("connect", () => {
    timer = setTimeout(() => connection.disconnect(true), greetingMs);
  });
  for (const event of ["ready", "close"]) connection.on(event, () => clearTimeout(timer));
}

function optionsFor(purpose: Purpose) {
  return {
    connectionName: `passwright:${purpose.name}`,
    enableOfflineQueue: false,
    connectTimeout: 2000,
    // What is given up says nothing more, not even good-bye.
    disconnectTimeout: 200,
    maxRetriesPerRequest: 0,
    retryStrategy: (times: number) => Math.min(50 * 2 ** Math.min(times, 6), 1000),
    // How long loading will take yet is Redis's guess, and may be much too long.
    maxLoadingRetryTime: 500,
    // A peer that vanished without a word is noticed by who owes it nothing, too.
    keepAlive: 10_000,
    // A replica that was the master until now: whoever is the master is found by connecting anew.
    reconnectOnError: (error: Error) => error.message.startsWith("READONLY"),
    ...(purpose.blocking !== true && {
      // Who asks over HTTP is told within a second.
      commandTimeout: purpose.patient === true ? patienceMs : 900,
      // Counts only while answers are owed; idle connections are left alone.
      socketTimeout: purpose.patient === true ? patienceMs : 2000,
    }),
  };
}

function connect(url: string, options: ReturnType<typeof optionsFor>): Connection {
  if (url.startsWith("redis://") || url.startsWith("rediss://")) return new Redis(url, options);
  const parsed = parseHosts(url);
  if (url.startsWith("redis+sentinel://")) {
    const [name = "mymaster"] = parsed.path.split("/").filter((part) => part !== "");
    return new Redis({
      ...options,
      ...parsed.credentials,
      sentinels: parsed.hosts,
      name,
      // A Sentinel that hangs is passed over.
      sentinelCommandTimeout: 500,
      // Told of a failover, it leaves the old master, also one that is cut off from everybody but us.
      failoverDetector: true,
    });
  }
  const { enableOfflineQueue, retryStrategy, ...perNode } = options;
  return new Cluster(parsed.hosts, {
    enableOfflineQueue,
    clusterRetryStrategy: retryStrategy,
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

/** Resolves once commands can be sent; rejects with `unavailable` after `timeoutMs`, and at once when it was closed. */
export async function whenReady(connection: Connection, timeoutMs: number): Promise<void> {
  if (connection.status === "ready") return;
  const ready = Promise.withResolvers<void>();
  const succeed = (): void => ready.resolve();
  let lastError: unknown;
  const remember = (error: unknown): void => {
    lastError = error;
    // More patience does not help against a password.
    if (error instanceof Error && /WRONGPASS|NOAUTH|AUTH failed/.test(error.message)) {
      const message =
        "Redis does not let in the user of PASSWRIGHT_REDIS_URL: its name or password is wrong.";
      ready.reject(new PasswrightError("invalid_configuration", message, { cause: error }));
    }
  };
  const giveUp = (): void => {
    ready.reject(new PasswrightError("unavailable", "Redis does not answer.", { cause: lastError }));
  };
  const timer = setTimeout(giveUp, connection.status === "end" ? 0 : timeoutMs);
  connection.on("error", remember);
  connection.on("ready", succeed);
  connection.on("end", giveUp);
  try {
    await ready.promise;
  } finally {
    clearTimeout(timer);
    connection.off("error", remember);
    connection.off("ready", succeed);
    connection.off("end", giveUp);
  }
}

/** What the client says when it cannot reach Redis, or has no answer. */
const clientIsAway = new RegExp(
  [
    "Stream isn't writeable|Connection is (?:closed|aborted)|connection close|Command timed out|Socket timeout",
    "ECONN|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|max retries per request",
    "Cluster isn't ready|Cluster is disconnect|Failed to refresh slots|None of startup nodes",
    "Too many Cluster redirections|Node is disconnected|All sentinels are unreachable",
  ].join("|"),
);

/** The codes of Redis for «not now», at the start or, from a script of older versions, behind a dash. */
const serverIsAway =
  /(?:^|-)(?:LOADING|BUSY|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|OOM|MISCONF|NOREPLICAS)\b|max number of clients/;

/** Redis being away, as everybody else knows it: `unavailable`. Errors of our own making pass through. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof PasswrightError) return error;
  const text = error instanceof Error ? error.message : "";
  if (!clientIsAway.test(text) && !serverIsAway.test(text)) return error;
  return new PasswrightError("unavailable", "The store does not answer at the moment. Try again shortly.", {
    cause: error,
    retryAfterSeconds: 1,
  });
}
