import { createServer } from "node:net";
import ipaddr from "ipaddr.js";
import t, { type Test } from "tap";
import { createResolver } from "../../src/egress/target-guard.ts";
import { createWebhookSender } from "../../src/egress/webhook-sender.ts";
import { createWebhookTargets } from "../../src/egress/webhook-targets.ts";
import { until } from "../support/until.ts";
import { serveNames, type Zone } from "./fixtures/name-server.ts";
import { certify, receive } from "./fixtures/receiver.ts";

// Names whose server changes its mind, as whoever registers a webhook can have it, and a listener inside that must
// never see a connection.

const certified = certify({ names: "DNS:*.example.com" });
const never = new AbortController().signal;

/** A listener on loopback, on the port of `beside` where one is given: what a name must not lead to. */
async function canary(t: Test, port = 0): Promise<{ port: number; connections(): number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  t.teardown(() => server.close());
  const address = server.address();
  return { port: typeof address === "object" ? (address?.port ?? 0) : 0, connections: () => connections };
}

async function opened(t: Test, zone: Zone, allowed: readonly string[] = []) {
  const names = await serveNames(t, zone);
  const ranges = allowed.map((range) => ipaddr.parseCIDR(range));
  const resolve = createResolver([names.server]);
  const sender = createWebhookSender({ userAgent: "test", allowed: ranges, ca: certified.ca, resolve });
  t.teardown(() => sender.close());
  return {
    names,
    targets: createWebhookTargets(ranges, resolve),
    post: (url: string) => sender.post(url, {}, "{}", never),
  };
}

const only =
  (a: readonly string[], aaaa: readonly string[] = []): Zone =>
  (_name, type) =>
    type === "A" ? a : aaaa;

t.test(
  "a name that is public when it is registered and inside when it is dialled is not dialled",
  async (t) => {
    const inside = await canary(t);
    const at = await opened(t, (_name, type, asked) => {
      if (type === "AAAA") return [];
      return [asked === 1 ? "93.184.216.34" : "127.0.0.1"];
    });
    const url = `https://flip.example.com:${inside.port}/`;
    t.equal(await at.targets.refusal(new URL(url)), null, "it passes the registration");
    t.match(await at.post(url), { error: /flip\.example\.com leads to 127\.0\.0\.1, which is not a public/ });
    t.equal(at.names.asked("flip.example.com"), 2, "the dial asked anew");
    t.equal(inside.connections(), 0);
  },
);

t.test("it is asked about at each dial, and what was checked is what is dialled", async (t) => {
  // 127.0.0.2 plays the public address: an operator's range lets it pass, and nothing else of loopback.
  const receiver = await receive(
    t,
    certified,
    (_request, response) => response.writeHead(200, { Connection: "close" }).end(),
    "127.0.0.2",
  );
  const port = Number(new URL(receiver.url).port);
  const inside = await canary(t, port);
  const at = await opened(
    t,
    (_name, type, asked) => (type === "AAAA" ? [] : [asked <= 2 ? "127.0.0.2" : "127.0.0.1"]),
    ["127.0.0.2/32"],
  );
  const url = `https://flip.example.com:${port}/`;
  for (const _ of [1, 2]) {
    t.match(await at.post(url), { statusCode: 200 });
    await until("that connection is closed", () => receiver.open() === 0);
  }
  t.match(await at.post(url), { error: /127\.0\.0\.1, which is not a public address/ });
  t.equal(receiver.received.length, 2);
  t.equal(inside.connections(), 0);
});

// biome-ignore format: read as a table
const traps: readonly [name: string, zone: Zone, leadsTo: RegExp][] = [
  ["inside in the one family and outside in the other", only(["93.184.216.34"], ["0:0:0:0:0:0:0:1"]), /::1/],
  ["inside among many outside", only(["93.184.216.34", "1.1.1.1", "127.0.0.1"]), /127\.0\.0\.1/],
  ["outside in an IPv6 form of loopback", only([], ["0:0:0:0:0:ffff:7f00:1"]), /127\.0\.0\.1/],
  ["at the addresses of a cloud's metadata", only(["169.254.169.254"], ["fd00:ec2:0:0:0:0:0:254"]), /169\.254\.169\.254/],
  ["at NAT64 of loopback", only([], ["64:ff9b:0:0:0:0:7f00:1"]), /127\.0\.0\.1/],
  ["at no host at all", only(["0.0.0.0"]), /0\.0\.0\.0/],
];
for (const [name, zone, leadsTo] of traps) {
  t.test(`a name that is ${name} is refused at registration and at the dial`, async (t) => {
    const inside = await canary(t);
    const at = await opened(t, zone);
    const url = `https://trap.example.com:${inside.port}/`;
    t.match(await at.targets.refusal(new URL(url)), leadsTo);
    t.match(await at.post(url), { error: leadsTo });
    t.equal(inside.connections(), 0);
  });
}

t.test("a name that stands for localhost leads nowhere else than that", async (t) => {
  const inside = await canary(t);
  const at = await opened(t, (_name, type) => (type === "A" ? ["localhost", "127.0.0.1"] : ["localhost"]));
  const url = `https://alias.example.com:${inside.port}/`;
  for (const told of [await at.targets.refusal(new URL(url)), await at.post(url)]) {
    t.match(JSON.stringify(told), /127\.0\.0\.1|ENODATA|ENOTFOUND|no address/);
  }
  t.equal(inside.connections(), 0);
});

t.test("the listener does see a connection when a name may lead to it", async (t) => {
  const inside = await canary(t);
  const at = await opened(t, only(["127.0.0.1"]), ["127.0.0.0/8"]);
  await at.post(`https://fine.example.com:${inside.port}/`);
  t.equal(inside.connections(), 1);
});
