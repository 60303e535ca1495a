import { createServer, type Socket } from "node:net";
import t, { type Test } from "tap";
import { openConnection, whenReady } from "../../src/redis/connection.ts";
import { openInstallation } from "../../src/redis/installation.ts";
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
    hsetnx: () => ":1\r\n",
    hget: () => "$2\r\n16\r\n",
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
