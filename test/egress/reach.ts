import { type AddressInfo, createServer, type Socket } from "node:net";
import ipaddr from "ipaddr.js";
import t, { type Test } from "tap";
import { createReach } from "../../src/egress/reach.ts";
import { certify, receive } from "./fixtures/receiver.ts";

const certified = certify();
const loopback = ipaddr.parseCIDR("127.0.0.0/8");

/** Takes connections and says nothing. Its port, and how many there were. */
async function silentServer(t: Test) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, taken: () => sockets.size };
}

t.test("a server with a certificate of a known root is reached, by name and by address", async (t) => {
  const { port, received } = await receive(t, certified);
  const { wallet } = createReach({ allowed: [], ca: certified.ca });
  await wallet(`https://127.0.0.1:${port}`);
  await wallet(`https://localhost:${port}`);
  t.strictSame(received, [], "nothing was asked for");
});

t.test("a certificate of an unknown root, or for another name, is not believed", async (t) => {
  const { port } = await receive(t, certified);
  await t.rejects(createReach({ allowed: [], ca: null }).wallet(`https://127.0.0.1:${port}`), /certificate/);
  const other = certify({ names: "DNS:other.example.com" });
  const stranger = await receive(t, other);
  const { wallet } = createReach({ allowed: [], ca: other.ca });
  await t.rejects(wallet(`https://127.0.0.1:${stranger.port}`), /127\.0\.0\.1/);
});

t.test("plain http needs a connection only", async (t) => {
  const { port } = await silentServer(t);
  await createReach({ allowed: [], ca: null }).wallet(`http://127.0.0.1:${port}`);
});

t.test("who takes the connection and says nothing is given up", async (t) => {
  const { port } = await silentServer(t);
  const { wallet } = createReach({ allowed: [], ca: null, timeoutMs: 50 });
  await t.rejects(wallet(`https://127.0.0.1:${port}`), /no connection within 0\.05 s/);
});

t.test("a receiver of webhooks is reached only where deliveries may go", async (t) => {
  const { port, taken } = await silentServer(t);
  const resolve = async () => ["127.0.0.1"];
  const guarded = createReach({ allowed: [], ca: null, resolve });
  await t.rejects(guarded.webhook(`http://127.0.0.1:${port}`), /not a public address/);
  await t.rejects(guarded.webhook(`http://hooks.example.com:${port}`), /not a public address/);
  await t.rejects(guarded.webhook("http://hooks.example.com:25"), /port/i);
  t.equal(taken(), 0);
  await createReach({ allowed: [loopback], ca: null, resolve }).webhook(`http://hooks.example.com:${port}`);
});
