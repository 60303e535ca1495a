import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import t, { type Test } from "tap";
import { buildConnector } from "undici";
import { createOriginPools, type OriginPools } from "../../src/egress/origin-pools.ts";
import { until } from "../support/until.ts";

/** A server on loopback, and how many connections it has. */
async function serve(t: Test, listener: RequestListener = (_request, response) => response.end()) {
  const server: Server = createServer({ keepAliveTimeout: 0 }, listener);
  let open = 0;
  server.on("connection", (socket) => {
    open += 1;
    socket.on("close", () => {
      open -= 1;
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, open: () => open };
}

function pools(t: Test, most: number, keepAliveMs = 60_000): OriginPools {
  const made = createOriginPools({ most, connect: buildConnector({ allowH2: false }), keepAliveMs });
  t.teardown(() => made.close());
  return made;
}

async function ask(of: OriginPools, origin: string): Promise<number> {
  const { pool, giveBack } = of.take(origin);
  try {
    const { statusCode, body } = await pool.request({ path: "/", method: "POST", body: "{}" });
    await body.dump();
    return statusCode;
  } finally {
    giveBack();
  }
}

t.test("connections are kept for so many origins, and those of the oldest are closed first", async (t) => {
  const servers = await Promise.all(Array.from({ length: 5 }, () => serve(t)));
  const of = pools(t, 3);
  for (const { origin } of servers) t.equal(await ask(of, origin), 200);
  t.equal(of.size(), 3);
  await until("the first two are closed", () => servers.slice(0, 2).every(({ open }) => open() === 0));
  t.strictSame(
    servers.map(({ open }) => open()),
    [0, 0, 1, 1, 1],
  );
});

t.test("who was asked again is not the oldest any more, and its connection is used again", async (t) => {
  const servers = await Promise.all(Array.from({ length: 4 }, () => serve(t)));
  const [first, second, third, fourth] = servers.map(({ origin }) => origin) as [
    string,
    string,
    string,
    string,
  ];
  const of = pools(t, 3);
  for (const origin of [first, second, third, first, fourth]) await ask(of, origin);
  await until("the second is closed", () => servers[1]?.open() === 0);
  t.equal(servers[0]?.open(), 1);
});

t.test("a pool in use is never cut, and goes when it is not in use any more", async (t) => {
  const answers: (() => void)[] = [];
  const slow = await Promise.all(
    Array.from({ length: 4 }, () => serve(t, (_request, response) => answers.push(() => response.end()))),
  );
  const of = pools(t, 2);
  const asked = slow.map(({ origin }) => ask(of, origin));
  await until("all are being asked", () => answers.length === 4);
  t.equal(of.size(), 4, "more than there should be, for that while");
  for (const answer of answers) answer();
  t.strictSame(await Promise.all(asked), [200, 200, 200, 200]);
  t.equal(of.size(), 2);
  await until("two are closed", () => slow.filter(({ open }) => open() === 0).length === 2);
});

t.test("a receiver that asks for longer gets no longer than all others", async (t) => {
  const asking = await serve(t, (_request, response) => {
    response.setHeader("Keep-Alive", "timeout=600").end();
  });
  const of = pools(t, 1, 50);
  t.equal(await ask(of, asking.origin), 200);
  await until("its connection is closed", () => asking.open() === 0);
});

t.test("a request that fails gives its pool back, too", async (t) => {
  const closing = await serve(t, (request) => request.socket.destroy());
  const well = await serve(t);
  const of = pools(t, 1);
  await t.rejects(ask(of, closing.origin));
  await ask(of, well.origin);
  t.equal(of.size(), 1);
});

t.test("hundreds of origins at which nobody listens leave no more pools behind than that", async (t) => {
  const { origin } = await serve(t);
  const { port } = new URL(origin);
  const of = pools(t, 8);
  const sizes = new Set<number>();
  for (let i = 2; i < 302; i += 1) {
    await t.rejects(ask(of, `http://127.0.${1 + (i >> 8)}.${i & 255}:${port}`), { code: "ECONNREFUSED" });
    sizes.add(of.size());
  }
  t.equal(Math.max(...sizes), 8);
});
