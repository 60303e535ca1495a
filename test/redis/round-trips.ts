import t from "tap";
import { openConnection, whenReady } from "../../src/redis/connection.ts";
import { watchRoundTrips } from "../../src/redis/round-trips.ts";
import { defineScripts } from "../../src/redis/scripts.ts";
import { openStore, testRedisUrl } from "../support/store.ts";
import { openProxy } from "../support/tcp-proxy.ts";

t.test("of every command it is told how long its answer took, also of those that are scripts", async (t) => {
  const { connection, keys } = await openStore(t);
  const trips: [number, boolean][] = [];
  watchRoundTrips(connection, (...trip) => trips.push(trip));
  await connection.ping();
  await t.rejects(connection.call("HGETALL", keys.prefix, "too", "many"), { message: /wrong number/ });
  const run = defineScripts(connection);
  await run("take-turn", [keys.turn("test")], [1, "me", 1000, 1]).catch(() => {});
  t.ok(trips.length >= 3);
  for (const [seconds, answered] of trips) t.ok(seconds > 0 && answered, "an error is an answer, too");
});

t.test("a command that gets none is told of when it is given up", async (t) => {
  const proxy = await openProxy(t, testRedisUrl());
  const connection = openConnection(proxy.url, { name: "test" });
  t.teardown(() => connection.disconnect());
  await whenReady(connection, 30_000);
  const trips: [number, boolean][] = [];
  watchRoundTrips(connection, (...trip) => trips.push(trip));
  proxy.mute();
  await t.rejects(connection.ping());
  t.match(trips, [[Number, false]]);
  t.ok((trips[0]?.[0] ?? 0) > 0.5);
});
