import { randomUUID } from "node:crypto";
import t, { type Test } from "tap";
import { createBell } from "../../src/redis/bell.ts";
import { openConnection, whenReady } from "../../src/redis/connection.ts";
import { openStore, testRedisUrl } from "../support/store.ts";
import { openProxy } from "../support/tcp-proxy.ts";
import { until } from "../support/until.ts";
import { addJob, openQueue } from "../support/work.ts";

const away = { name: "PasswrightError", code: "unavailable" };

/** A bell for the interactive work of two partitions, as a worker has it from its start on. */
async function hung(t: Test, url = testRedisUrl()) {
  const store = await openStore(t, { partitions: 2 });
  const [seconds, microseconds] = await store.connection.time();
  const startAtMs = Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000) - 1;
  const streams = [0, 1].map((partition) => store.keys.bell(partition, "interactive"));
  const connections: ReturnType<typeof openConnection>[] = [];
  const open = () => {
    const connection = openConnection(url, { name: "test-bell", blocking: true });
    connections.push(connection);
    return connection;
  };
  const bell = createBell({ open, streams, startAtMs });
  t.teardown(() => {
    for (const connection of connections) connection.disconnect();
  });
  const [first] = connections;
  if (first === undefined) throw new Error("the bell has no connection");
  await whenReady(first, 5000);
  /** Adds a job to a partition; answers with its stream. */
  const add = async (partition: number): Promise<string> => {
    let tenantId = randomUUID();
    while (store.keys.partitionOf(tenantId) !== partition) tenantId = randomUUID();
    await addJob(store, { tenantId });
    return streams[partition] ?? "";
  };
  return { ...store, store, bell, add, connections };
}

/** The code of a rejection that comes within a second. */
async function atOnce(waiting: Promise<unknown>): Promise<unknown> {
  let outcome: unknown;
  waiting.then(
    () => {
      outcome = "rung";
    },
    (error) => {
      outcome = error.code;
    },
  );
  return until("an answer", () => outcome, 1000).catch(() => "still waiting");
}

/** Resolves when a bell is waiting inside Redis. */
async function listening({ connection }: Awaited<ReturnType<typeof hung>>): Promise<void> {
  await until("the bell waits", async () =>
    /name=passwright:test-bell .*flags=b.*cmd=xread/.test(String(await connection.client("LIST"))),
  );
}

t.test("a bell rings for what came before anybody waited, and only once", async (t) => {
  const at = await hung(t);
  const streams = [await at.add(0), await at.add(1), await at.add(1)];
  t.strictSame((await at.bell.wait(5000)).sort(), streams.slice(0, 2).sort());
  t.strictSame(await at.bell.wait(10), []);
});

t.test("a bell rings for what comes while somebody waits", async (t) => {
  const at = await hung(t);
  const waiting = at.bell.wait(30_000);
  await listening(at);
  t.strictSame(await Promise.all([waiting, at.add(1)]), [
    [at.keys.bell(1, "interactive")],
    at.keys.bell(1, "interactive"),
  ]);
});

t.test("a bell is quiet about work that is in hand", async (t) => {
  const at = await hung(t);
  await at.add(0);
  await at.bell.wait(5000);
  const queue = await openQueue(at.store);
  const [task] = await queue.claim([0], 10);
  t.strictSame(await at.bell.wait(10), []);
  if (task !== undefined) await queue.handBack([task]);
  t.strictSame(await at.bell.wait(5000), [at.keys.bell(0, "interactive")], "and rings when it is free again");
});

t.test("a bell catches up with any number of entries", async (t) => {
  const at = await hung(t);
  const stream = await at.add(0);
  await Promise.all(Array.from({ length: 600 }, () => at.connection.xadd(stream, "*", "r", "x", "l", "y")));
  t.strictSame(await at.bell.wait(5000), [stream]);
  t.strictSame(await at.bell.wait(5000), [stream], "the rest of more than it reads at a time");
  t.strictSame(await at.bell.wait(10), []);
});

t.test("who waits is told at once when the bell is taken down", async (t) => {
  const at = await hung(t);
  const waiting = at.bell.wait(30_000);
  await listening(at);
  at.bell.close();
  await t.rejects(waiting, away);
  t.equal(await atOnce(at.bell.wait(4000)), "unavailable", "also who comes afterwards");
});

t.test("a bell whose connection was cut rings again by itself, for what it missed too", async (t) => {
  const proxy = await openProxy(t, testRedisUrl());
  const at = await hung(t, proxy.url);
  const waiting = at.bell.wait(30_000);
  await listening(at);
  proxy.cut();
  await t.rejects(waiting, away);
  const stream = await at.add(0);
  t.strictSame(await until("the bell rings", () => at.bell.wait(5000)), [stream]);
  t.equal(at.connections.length, 1);
});

t.test("a connection that never answers is replaced, and the bell rings for what it missed", async (t) => {
  const proxy = await openProxy(t, testRedisUrl());
  const at = await hung(t, proxy.url);
  proxy.mute();
  await t.rejects(at.bell.wait(1), away);
  t.equal(at.connections.length, 2);
  const stream = await at.add(1);
  t.strictSame(await until("the bell rings", () => at.bell.wait(5000)), [stream]);
  t.ok(await until("the old connection is given up", () => at.connections[0]?.status === "end"));
});

t.test("a connection that is dialled anew and never becomes ready is replaced, too", async (t) => {
  const proxy = await openProxy(t, testRedisUrl());
  const at = await hung(t, proxy.url);
  proxy.swallow();
  await t.rejects(at.bell.wait(1), away);
  await until("the next connection is open", () => at.connections.at(-1)?.status === "connect");
  await t.rejects(at.bell.wait(1), away);
  proxy.carry();
  const stream = await at.add(1);
  t.strictSame(await until("the bell rings", () => at.bell.wait(500), 10_000), [stream]);
});

t.test("an answer counts that came while the whole process stood still", async (t) => {
  const at = await hung(t);
  const waiting = at.bell.wait(2000);
  await listening(at);
  // Longer than the watchdog waits.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3500);
  t.strictSame(await waiting, []);
  t.equal(at.connections.length, 1);
});
