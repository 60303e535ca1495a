import { rmSync } from "node:fs";
import t, { type Test } from "tap";
import type { Check } from "../../../src/domain/doctor/check.ts";
import * as serverChecks from "../../../src/domain/doctor/server-checks.ts";
import { openConnection, whenReady } from "../../../src/redis/connection.ts";
import { createStoreServer } from "../../../src/redis/doctor/server.ts";
import { startRedisServer } from "../../support/redis-server.ts";
import { testRedisUrl } from "../../support/store.ts";
import { until } from "../../support/until.ts";

const { reachable, release, eviction, appendOnly, fsync, lastWrites, clockSkew } = serverChecks;

/** A Redis, and what the checks see of it. */
async function connected(t: Test, url: string, clock = { nowMs: () => Date.now() }) {
  const connection = openConnection(url, { name: "test" });
  t.teardown(() => connection.disconnect());
  await whenReady(connection, 5000).catch(() => {});
  const server = createStoreServer(connection, clock);
  return {
    connection,
    /** The one finding of a check. */
    async sees(check: Check<{ server: typeof server }>) {
      const findings = await check.look({ server });
      t.equal(findings.length, 1, "one finding");
      return findings[0];
    },
  };
}

async function ownRedis(t: Test, settings: Record<string, string> = {}) {
  const redis = await startRedisServer(t, settings);
  return { redis, ...(await connected(t, redis.url)) };
}

t.test("a Redis that is set up well is well", async (t) => {
  const { sees } = await ownRedis(t, { appendonly: "yes", maxmemory: "100mb" });
  for (const check of [reachable, eviction, appendOnly, fsync, lastWrites, clockSkew]) {
    t.match(await sees(check), { status: "ok", remedy: null }, check.name);
  }
  t.match(await sees(reachable), { message: /^(Redis|Valkey) \d+\.\d+\.\d+ answers/ });
  t.match(await sees(release), { status: /ok|warning/ });
});

t.test("a Redis that is not there is wrong, and what to do is said", async (t) => {
  const { sees } = await connected(t, "redis://127.0.0.1:1");
  t.match(await sees(reachable), {
    status: "failed",
    remedy: /Start Redis, or correct PASSWRIGHT_REDIS_URL/,
  });
  await t.rejects(sees(eviction), { code: "unavailable" });
});

t.test("a replica takes no writes", async (t) => {
  const master = await startRedisServer(t);
  const { sees } = await ownRedis(t, { replicaof: `127.0.0.1 ${master.port}` });
  t.match(await sees(reachable), { status: "failed", message: /slave/, remedy: /master/ });
});

t.test("a Redis that evicts is wrong, and one that may as soon as it has a limit is warned of", async (t) => {
  const { connection, sees } = await ownRedis(t, { maxmemory: "100mb", "maxmemory-policy": "allkeys-lru" });
  t.match(await sees(eviction), { status: "failed", message: /allkeys-lru/, remedy: /noeviction/ });
  await connection.config("SET", "maxmemory", "0");
  t.match(await sees(eviction), { status: "warning", message: /allkeys-lru/ });
  await connection.config("SET", "maxmemory-policy", "noeviction");
  t.match(await sees(eviction), { status: "ok" });
});

t.test("memory that is used up is wrong", async (t) => {
  const { connection, sees } = await ownRedis(t, { maxmemory: "100mb" });
  t.match(await sees(eviction), { status: "ok" });
  await connection.config("SET", "maxmemory", "500kb");
  t.match(await sees(eviction), { status: "failed", message: /503/, remedy: /maxmemory/ });
});

t.test("what is on disk is warned of: no append-only file, or one that is not synced", async (t) => {
  const { connection, sees } = await ownRedis(t);
  t.match(await sees(appendOnly), { status: "warning", remedy: /appendonly yes/ });
  t.match(await sees(fsync), { status: "ok", message: /without an append-only file/ });
  await connection.config("SET", "appendonly", "yes");
  t.match(await sees(appendOnly), { status: "ok" });
  t.match(await sees(fsync), { status: "ok", message: /everysec/ });
  await connection.config("SET", "appendfsync", "no");
  t.match(await sees(fsync), { status: "warning", message: /power cut/, remedy: /everysec/ });
});

t.test("a snapshot that could not be written is wrong", async (t) => {
  const { redis, connection, sees } = await ownRedis(t);
  t.match(await sees(lastWrites), { status: "ok" });
  rmSync(redis.folder, { recursive: true });
  await connection.bgsave();
  const found = await until("the snapshot has failed", async () => {
    const finding = await sees(lastWrites);
    return finding?.status === "failed" && finding;
  });
  t.match(found, { message: /the last snapshot/, remedy: /disk full/ });
});

t.test("a user that may not read settings is told to look by hand", async (t) => {
  const { redis, connection } = await ownRedis(t, { appendonly: "yes" });
  await connection.call("ACL", "SETUSER", "shop", "on", ">pw", "~*", "&*", "+@all", "-@dangerous", "+info");
  const { sees } = await connected(t, redis.url.replace("//", "//shop:pw@"));
  t.match(await sees(fsync), { status: "unknown", message: /CONFIG GET/, remedy: /by hand/ });
  t.match(await sees(appendOnly), { status: "ok" });
});

t.test("a clock that is off is told in both directions, by how much", async (t) => {
  const skewed = async (byMs: number) => {
    const { sees } = await connected(t, testRedisUrl(), { nowMs: () => Date.now() + byMs });
    return sees(clockSkew);
  };
  t.match(await skewed(0), { status: "ok" });
  t.match(await skewed(-20_000), { status: "warning", message: /20 s ahead/, remedy: /time server/ });
  t.match(await skewed(7_200_000), { status: "failed", message: /2 h behind/ });
});
