import { createServer, type Socket } from "node:net";
import t, { type Test } from "tap";
import { openConnection, whenReady } from "../../src/redis/connection.ts";
import { type DataFormats, openInstallation } from "../../src/redis/installation.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { openStore } from "../support/store.ts";

/** A connection to a Redis of the test's own, with these settings. */
async function ownRedis(t: Test, settings: Record<string, string>) {
  const { url } = await startRedisServer(t, settings);
  return connected(t, url);
}

async function connected(t: Test, url: string) {
  const connection = openConnection(url, { name: "test" });
  t.teardown(() => connection.disconnect());
  await whenReady(connection, 5000);
  return connection;
}

t.test("a fresh store is laid out once, and the layout is found again", async (t) => {
  const { connection, keys, another } = await openStore(t);
  const first = await openInstallation(connection, keys.prefix);
  t.equal(first.partitions, 16);
  await connection.hset(keys.meta, "partitions", 4);
  const processes = await Promise.all([another(), another(), another()]);
  const found = await Promise.all(processes.map((one) => openInstallation(one.connection, keys.prefix)));
  t.strictSame(
    found.map(({ partitions }) => partitions),
    [4, 4, 4],
    "what was decided once is never changed",
  );
});

t.test("a store of before there was a mark of its format is taken, and marked", async (t) => {
  const { connection, keys } = await openStore(t);
  await connection.hset(keys.meta, "partitions", 16);
  await openInstallation(connection, keys.prefix);
  t.strictSame(await connection.hgetall(keys.meta), { partitions: "16", format: "1" });
});

t.test("data of a format that this release does not read is refused, and left as it is", async (t) => {
  const { connection, keys } = await openStore(t);
  const meta = { partitions: "16", format: "5" };
  await connection.hset(keys.meta, meta);
  await t.rejects(openInstallation(connection, keys.prefix, { oldestRead: 2, newestRead: 4, written: 3 }), {
    code: "invalid_configuration",
    detail: /format 5, which a newer release has written; this one reads format 2 to 4\./,
  });
  await t.rejects(openInstallation(connection, keys.prefix, { oldestRead: 6, newestRead: 6, written: 6 }), {
    code: "invalid_configuration",
    detail: /format 5, which an older release has written; this one reads format 6 only\. Upgrade by way of/,
  });
  t.strictSame(await connection.hgetall(keys.meta), meta);
});

t.test(
  "who reads before he writes shuts nobody out; who writes shuts out whoever does not read",
  async (t) => {
    const { connection, keys } = await openStore(t);
    const open = (formats: DataFormats) => openInstallation(connection, keys.prefix, formats);
    const first = { oldestRead: 1, newestRead: 1, written: 1 };
    const reader = { oldestRead: 1, newestRead: 2, written: 1 };
    const writer = { oldestRead: 1, newestRead: 2, written: 2 };
    await open(first);
    await open(reader);
    await open(first);
    await open(writer);
    t.equal(await connection.hget(keys.meta, "format"), "2");
    await open(reader);
    t.equal(await connection.hget(keys.meta, "format"), "2", "and a mark never goes back");
    await t.rejects(open(first), { code: "invalid_configuration", detail: /newer release/ });
  },
);

t.test("a store that takes no writes can be opened all the same", async (t) => {
  const connection = await ownRedis(t, { appendonly: "yes" });
  await openInstallation(connection, "pw");
  await connection.config("SET", "maxmemory", "1");
  t.match(await openInstallation(connection, "pw"), { partitions: 16 });
});

for (const policy of ["allkeys-lru", "volatile-ttl"]) {
  t.test(`a Redis that evicts by ${policy} is refused`, async (t) => {
    const connection = await ownRedis(t, { maxmemory: "100mb", "maxmemory-policy": policy });
    await t.rejects(openInstallation(connection, "pw"), {
      code: "invalid_configuration",
      detail: new RegExp(`${policy}.*noeviction`),
    });
  });
}

t.test("a Redis with a limit that it answers with errors is taken", async (t) => {
  const connection = await ownRedis(t, {
    maxmemory: "100mb",
    "maxmemory-policy": "noeviction",
    appendonly: "yes",
  });
  t.strictSame(await openInstallation(connection, "pw"), { partitions: 16, warnings: [] });
});

t.test("a Redis without an append-only file is warned of", async (t) => {
  const { connection, keys } = await openStore(t);
  const { warnings } = await openInstallation(connection, keys.prefix);
  t.match(warnings, [/append-only file/]);
  t.equal(warnings.length, 1);
});

t.test("a Redis that is too old is refused with its version", async (t) => {
  const connection = await connected(t, await oldRedis(t));
  await t.rejects(openInstallation(connection, "pw"), {
    code: "invalid_configuration",
    detail: /6\.2\.14 is too old/,
  });
});

/**
 * What a Redis 6.2 says to the few commands that are sent to it, since none can be had here. Its INFO takes one section
 * at most: several came with 7.0.
 */
async function oldRedis(t: Test): Promise<string> {
  const info = "# Server\r\nredis_version:6.2.14\r\n";
  const answers: Record<string, (args: string[]) => string> = {
    info: (args) => (args.length > 1 ? "-ERR syntax error\r\n" : `$${info.length}\r\n${info}\r\n`),
  };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
      for (;;) {
        const count = Number(/^\*(\d+)\r\n/.exec(text)?.[1]);
        const command = new RegExp(`^\\*\\d+\\r\\n((?:\\$\\d+\\r\\n[^\\r]*\\r\\n){${count}})`).exec(text);
        if (command === null || Number.isNaN(count)) return;
        text = text.slice(command[0].length);
        const [name = "", ...args] = (command[1] ?? "").split("\r\n").filter((_, index) => index % 2 === 1);
        socket.write(answers[name.toLowerCase()]?.(args) ?? "+OK\r\n");
      }
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return `redis://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}
