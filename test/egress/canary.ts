import { createServer, type Server } from "node:net";
import { mock } from "node:test";
import ipaddr from "ipaddr.js";
import t from "tap";
import { createWebhookSender } from "../../src/egress/webhook-sender.ts";
import { createWebhookTargets } from "../../src/egress/webhook-targets.ts";

// Listeners inside, on one port of both loopback addresses, that must never see a connection.

let connections = 0;
const listen = (host: string, port: number): Promise<Server | null> =>
  new Promise((done) => {
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    server.once("error", () => done(null));
    server.listen(port, host, () => done(server));
  });
const v4 = await listen("127.0.0.1", 0);
const address = v4?.address();
const port = typeof address === "object" ? (address?.port ?? 0) : 0;
const v6 = await listen("::1", port);
t.teardown(() => {
  v4?.close();
  v6?.close();
});

const inside = [
  "127.0.0.1",
  "127.1",
  "2130706433",
  "0x7f.1",
  "0177.0.0.1",
  "0.0.0.0",
  "0",
  "127。0。0。1",
  "localhost",
  "LOCALHOST",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[2002:7f00:1::]",
];

t.test("no spelling of an address inside gets a connection out of the sender", async (t) => {
  const sender = createWebhookSender({ userAgent: "test", allowed: [], ca: null });
  t.teardown(() => sender.close());
  const signal = new AbortController().signal;
  for (const host of inside) {
    const answer = await sender.post(`https://${host}:${port}/`, {}, "{}", signal);
    t.match(answer, { error: /is not a public address/ }, host);
  }
  t.equal(connections, 0);
});

t.test("localhost with the dot of a full name is refused, or is not known at all", async (t) => {
  const sender = createWebhookSender({ userAgent: "test", allowed: [], ca: null });
  t.teardown(() => sender.close());
  const answer = await sender.post(`https://localhost.:${port}/`, {}, "{}", new AbortController().signal);
  t.match(answer, { error: /is not a public address|ENOTFOUND|EAI_AGAIN/ });
  t.equal(connections, 0);
});

t.test("each of them is refused at registration already", async (t) => {
  const targets = createWebhookTargets([]);
  for (const host of inside) {
    t.match(await targets.refusal(new URL(`https://${host}:${port}/`)), /is not a public address/, host);
  }
  t.equal(connections, 0);
});

t.test(
  "a name that does not resolve yet may be registered: the check at the connection counts",
  async (t) => {
    t.equal(await createWebhookTargets([]).refusal(new URL("https://not-there-yet.invalid/")), null);
  },
);

t.test("a name server that does not answer holds up a registration for three seconds at most", async (t) => {
  const targets = createWebhookTargets([], () => new Promise(() => {}));
  mock.timers.enable({ apis: ["setTimeout"] });
  t.teardown(() => mock.timers.reset());
  const asking = targets.refusal(new URL("https://slow.example/"));
  mock.timers.tick(3000);
  t.equal(await asking, null);
});

t.test("an operator's ranges may be registered, and are the only ones", async (t) => {
  const targets = createWebhookTargets([ipaddr.parseCIDR("127.0.0.0/8")]);
  t.equal(await targets.refusal(new URL("https://127.0.0.1/")), null);
  t.match(await targets.refusal(new URL("https://10.0.0.1/")), /not a public address/);
});

t.test("the listeners do see connections when there are any", async (t) => {
  const sender = createWebhookSender({
    userAgent: "test",
    allowed: [ipaddr.parseCIDR("127.0.0.0/8")],
    ca: null,
  });
  t.teardown(() => sender.close());
  await sender.post(`https://127.0.0.1:${port}/`, {}, "{}", new AbortController().signal);
  t.equal(connections, 1);
});
