import { readFileSync } from "node:fs";
import { Redis } from "ioredis";
import type { Test } from "tap";
import { type RedisServer, startRedisServer } from "./redis-server.ts";
import { until } from "./until.ts";

export type Sentinels = {
  /** As PASSWRIGHT_REDIS_URL has it. */
  url: string;
  /** The first is the master at the beginning. */
  stores: readonly RedisServer[];
  sentinels: readonly RedisServer[];
  /** The store that the Sentinels take for the master. */
  master(): Promise<RedisServer>;
  /** Asks for a failover though the master is well. */
  failover(): Promise<unknown>;
  /** Resolves with the new master once it is one, and the Sentinels say so. */
  promoted(old: RedisServer): Promise<RedisServer>;
  /** Resolves when all stores follow one master. */
  inStep(): Promise<void>;
};

/** A master with replicas, watched by three Sentinels, by the settings of deploy/redis with `given` laid over them. */
export async function startSentinels(
  t: Test,
  { replicas = 1, given = {} }: { replicas?: number; given?: Record<string, string> } = {},
): Promise<Sentinels> {
  const hurry = { "repl-diskless-sync-delay": "0" };
  const settings = { ...settingsIn("deploy/redis/redis.conf"), ...hurry, ...given };
  const first = await startRedisServer(t, settings);
  const replicaof = `127.0.0.1 ${first.port}`;
  const others = await Promise.all(
    Array.from({ length: replicas }, () => startRedisServer(t, { ...settings, replicaof })),
  );
  const stores = [first, ...others];
  const { port: _theirs, ...rules } = settingsIn("deploy/redis/sentinel.conf");
  const watched = { "sentinel monitor passwright": `127.0.0.1 ${first.port} 2` };
  await Promise.all(others.map((store) => until("a replica follows", () => follows(store, first))));
  const sentinels = await Promise.all(
    [1, 2, 3].map(() => startRedisServer(t, { ...watched, ...rules, ...watched }, "sentinel")),
  );
  // The last one: tests stop those that are named first.
  const sentinel = sentinels.at(-1);
  if (sentinel === undefined) throw new Error("there is no Sentinel");
  const ask = (...args: string[]) => command(sentinel.url, "SENTINEL", ...args);
  await until("the Sentinels know each other and the replica", async () => {
    const facts = (await ask("MASTER", "passwright")) as string[];
    const fact = (name: string) => facts[facts.indexOf(name) + 1];
    return fact("num-other-sentinels") === "2" && fact("num-slaves") === String(replicas);
  });

  const master = async () => {
    const [, port] = (await ask("GET-MASTER-ADDR-BY-NAME", "passwright")) as [string, string];
    const found = stores.find((store) => store.port === Number(port));
    if (found === undefined) throw new Error("the Sentinels know another master");
    return found;
  };
  return {
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(",")}/passwright`,
    stores,
    sentinels,
    master,
    failover: () => until("the failover begins", () => ask("FAILOVER", "passwright")),
    promoted: (old) =>
      until("another is the master", async () => {
        const leader = await master();
        return leader !== old && /^role:master/m.test(await replication(leader)) && leader;
      }),
    async inStep() {
      const leader = await master();
      const followers = stores.filter((store) => store !== leader);
      await Promise.all(followers.map((store) => until("it follows", () => follows(store, leader))));
      // A Sentinel that still holds a replica for dead gives a failover up, and begins none for a minute after.
      await Promise.all(
        sentinels.map((each) => until("a Sentinel sees it", () => sees(each, followers.length))),
      );
    },
  };
}

async function follows(store: RedisServer, master: RedisServer): Promise<boolean> {
  const facts = await replication(store);
  return facts.includes(`master_port:${master.port}`) && /^master_link_status:up/m.test(facts);
}

/** Whether a Sentinel holds so many replicas for alive; one that a test has stopped has no say. */
async function sees(sentinel: RedisServer, count: number): Promise<boolean> {
  const replicas = await command(sentinel.url, "SENTINEL", "REPLICAS", "passwright").catch(() => null);
  if (replicas === null) return true;
  const alive = (replicas as string[][]).filter((facts) => facts[facts.indexOf("flags") + 1] === "slave");
  return alive.length >= count;
}

async function replication({ url }: RedisServer): Promise<string> {
  return String(await command(url, "INFO", "replication"));
}

/** What a configuration file of Redis says. Those of a Sentinel have three words for a name. */
function settingsIn(file: string): Record<string, string> {
  const lines = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8").split("\n");
  const said = lines.filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(
    said.map((line) => {
      const words = line.split(" ");
      const names = words[0] === "sentinel" ? 3 : 1;
      return [words.slice(0, names).join(" "), words.slice(names).join(" ")];
    }),
  );
}

/** One command over a connection of its own, to whoever answers there, loading or not. */
export async function command(url: string, name: string, ...args: string[]): Promise<unknown> {
  const connection = new Redis(url, {
    enableReadyCheck: false,
    commandTimeout: 1000,
    retryStrategy: () => null,
  });
  connection.on("error", () => {});
  try {
    return await connection.call(name, ...args);
  } finally {
    connection.disconnect();
  }
}
