import t from "tap";
import { PasswrightError } from "../../src/domain/errors.ts";
import { asUnavailable, openConnection, whenReady } from "../../src/redis/connection.ts";
import { freePort, startRedisServer } from "../support/redis-server.ts";
import { openStore, testRedisUrl } from "../support/store.ts";
import { openProxy } from "../support/tcp-proxy.ts";
import { until } from "../support/until.ts";

t.test("whoever waits for a Redis that is not there is told why", async (t) => {
  const connection = openConnection(`redis://127.0.0.1:${await freePort()}`, { name: "test" });
  t.teardown(() => connection.disconnect());
  const refusal = await until("the reason is known", async () => {
    const error = await whenReady(connection, 100).catch((reason: unknown) => reason as PasswrightError);
    return error?.cause !== undefined && error;
  });
  t.match(refusal, { code: "unavailable", cause: { code: "ECONNREFUSED" } });
});

t.test("waiting in vain, however often, leaves nothing behind on the connection", async (t) => {
  const connection = openConnection(`redis://127.0.0.1:${await freePort()}`, { name: "test" });
  t.teardown(() => connection.disconnect());
  const listeners = () => connection.eventNames().map((name) => [name, connection.listenerCount(name)]);
  const before = listeners();
  for (let i = 0; i < 12; i++) await t.rejects(whenReady(connection, 1), { code: "unavailable" });
  t.strictSame(listeners(), before);
});

t.test("a connection names itself to Redis", async (t) => {
  const connection = openConnection(testRedisUrl(), { name: "naming" });
  t.teardown(() => connection.disconnect());
  await whenReady(connection, 30_000);
  t.equal(await until("Redis answers", () => connection.client("GETNAME")), "passwright:naming");
  await whenReady(connection, 30_000);
});

t.test("the master that a Sentinel knows is found by its name", async (t) => {
  const master = await startRedisServer(t);
  const sentinel = await startRedisServer(
    t,
    { sentinel: `monitor shop 127.0.0.1 ${master.port} 1` },
    "sentinel",
  );
  const url = `redis+sentinel://127.0.0.1:${await freePort()},127.0.0.1:${sentinel.port}/shop`;
  const connection = openConnection(url, { name: "test" });
  t.teardown(() => connection.disconnect());
  await whenReady(connection, 30_000);
  t.match(await connection.info("server"), `tcp_port:${master.port}`);
});

t.test("a Sentinel that hangs is passed over", async (t) => {
  const master = await startRedisServer(t);
  const watch = { sentinel: `monitor shop 127.0.0.1 ${master.port} 1` };
  const hanging = await startRedisServer(t, watch, "sentinel");
  const other = await startRedisServer(t, watch, "sentinel");
  hanging.signal("SIGSTOP");
  const url = `redis+sentinel://127.0.0.1:${hanging.port},127.0.0.1:${other.port}/shop`;
  const connection = openConnection(url, { name: "test" });
  t.teardown(() => connection.disconnect());
  await whenReady(connection, 10_000);
  t.match(await connection.info("server"), `tcp_port:${master.port}`);
});

t.test("a URL in none of the documented forms is refused without a word of what it holds", async (t) => {
  const wrong = "redis-sentinel://:hunter2@host";
  t.throws(() => openConnection(wrong, { name: "test" }), { code: "invalid_configuration" });
  try {
    openConnection(wrong, { name: "test" });
  } catch (error) {
    t.notMatch(String(error), /hunter2/);
  }
});

t.test("user and password of a URL are sent, also where they are written in percent", async (t) => {
  const server = await startRedisServer(t, { user: "shop on >p%@ss ~* &* +@all" });
  const connection = openConnection(`redis://shop:p%25%40ss@127.0.0.1:${server.port}`, { name: "test" });
  t.teardown(() => connection.disconnect());
  await whenReady(connection, 30_000);
  t.equal(await connection.acl("WHOAMI"), "shop");
});

t.test("an error of Redis that says it is away is unavailable, others stay what they are", async (t) => {
  const { connection, keys } = await openStore(t);
  for (const text of [
    "LOADING Redis is loading the dataset in memory",
    "OOM command not allowed",
    "MISCONF x",
  ]) {
    t.match(asUnavailable(new Error(text)), { code: "unavailable", retryAfterSeconds: 1 }, text);
  }
  await connection.set(`${keys.prefix}:text`, "x");
  const wrongType = await connection.hgetall(`${keys.prefix}:text`).catch((error: unknown) => error);
  t.match(wrongType, { message: /WRONGTYPE/ });
  t.equal(asUnavailable(wrongType), wrongType, "a bug is not made to look like an outage");
  for (const text of ["there is no room for zoom", "downloading failed"]) {
    const error = new Error(text);
    t.equal(asUnavailable(error), error, text);
  }
  const ours = new PasswrightError("not_found", "no");
  t.equal(asUnavailable(ours), ours);
});

t.test("every way in which a Redis or a cluster is not there for us is unavailable", async (t) => {
  for (const text of [
    "Cluster isn't ready and enableOfflineQueue options is false",
    "Too many Cluster redirections. Last error: MOVED 1 127.0.0.1:1",
    "None of startup nodes is available",
    "Failed to refresh slots cache.",
    "Command aborted due to connection close",
    "ERR max number of clients reached",
    "BUSY Redis is busy running a script.",
    "TRYAGAIN Multiple keys request during rehashing of slot",
    "READONLY You can't write against a read only replica.",
    "ERR Error running script: -OOM command not allowed",
  ]) {
    t.match(asUnavailable(new Error(text)), { code: "unavailable" }, text);
  }
  for (const text of ["BUSYGROUP Consumer Group name already exists", "NOAUTH Authentication required."]) {
    const error = new Error(text);
    t.equal(asUnavailable(error), error, text);
  }
});

t.test("a master that became a replica is left, and whoever is the master now is found", async (t) => {
  const server = await startRedisServer(t);
  const connection = openConnection(server.url, { name: "test" });
  t.teardown(() => connection.disconnect());
  await whenReady(connection, 30_000);
  const first = await connection.client("ID");
  await connection.call("REPLICAOF", "127.0.0.1", String(await freePort()));
  await t.rejects(connection.set("x", "1"), { message: /^READONLY/ });
  const next = await until("there is a new connection", () => connection.client("ID"));
  t.ok(next > first);
});

t.test("a connection that owes answers and gives none is replaced", async (t) => {
  const proxy = await openProxy(t, testRedisUrl());
  const connection = openConnection(proxy.url, { name: "test" });
  t.teardown(() => connection.disconnect());
  await whenReady(connection, 30_000);
  proxy.mute();
  await t.rejects(connection.ping(), { message: "Command timed out" });
  t.equal(await until("an answer comes on another connection", () => connection.ping()), "PONG");
  t.equal(proxy.opened(), 2);
});
