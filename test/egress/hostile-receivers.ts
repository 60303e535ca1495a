import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createSecureServer } from "node:http2";
import { createServer as createTcpServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { gzipSync } from "node:zlib";
import ipaddr from "ipaddr.js";
import t, { type Test } from "tap";
import { createWebhookSender } from "../../src/egress/webhook-sender.ts";
import { until } from "../support/until.ts";
import { certify, receive } from "./fixtures/receiver.ts";

const certified = certify();
const allowed = [ipaddr.parseCIDR("127.0.0.0/8")];
const never = new AbortController().signal;
const deadlineMs = 400;
const late = { error: "no complete answer within 0.4 s" };

function sender(t: Test) {
  const made = createWebhookSender({ userAgent: "test", allowed, ca: certified.ca, deadlineMs });
  t.teardown(() => made.close());
  return Object.assign((url: string, signal = never) => made.post(url, {}, "{}", signal), {
    openOrigins: made.openOrigins,
  });
}

/** Something on loopback that is no web server; answers its port. */
async function listen(t: Test, server: ReturnType<typeof createTcpServer>): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket.on("error", () => {})));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

t.test("one deadline covers all of an answer: none, a beginning, and a body that drips", async (t) => {
  const post = sender(t);
  const silent = await receive(t, certified, () => {});
  const begun = await receive(t, certified, (_request, response) => {
    response.writeHead(200).write("a");
  });
  const dripping = await receive(t, certified, (_request, response) => {
    const drops = setInterval(() => response.write("a"), 20);
    response.on("close", () => clearInterval(drops));
  });
  for (const receiver of [silent, begun, dripping]) {
    t.strictSame(await post(receiver.url), late);
    await until("its connection is closed", () => receiver.open() === 0);
  }
});

t.test("it covers a handshake that does not come to its end, too", async (t) => {
  const port = await listen(
    t,
    createTcpServer(() => {}),
  );
  t.strictSame(await sender(t)(`https://127.0.0.1:${port}/`), late);
});

t.test("interim answers are none, however many there are", async (t) => {
  const post = sender(t);
  const hinting = await receive(t, certified, (_request, response) => {
    response.writeEarlyHints({ link: "</style.css>; rel=preload" });
    response.writeEarlyHints({ link: "</script.js>; rel=preload" });
    response.writeHead(204).end();
  });
  t.match(await post(hinting.url), { statusCode: 204 });
  const stalling = await receive(t, certified, (_request, response) => response.writeContinue());
  t.match(await post(stalling.url), { error: /bad response/ }, "nobody asked for that one");
});

t.test("a bomb in gzip is read up to its limit and not unpacked", async (t) => {
  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
  const receiver = await receive(t, certified, (_request, response) => {
    response.writeHead(200, { "Content-Encoding": "gzip", "Content-Length": bomb.length }).end(bomb);
  });
  const before = process.memoryUsage().rss;
  t.match(await sender(t)(receiver.url), { statusCode: 200 });
  const grownBy = process.memoryUsage().rss - before;
  t.ok(grownBy < 30 * 1024 * 1024, `${grownBy} bytes more`);
});

t.test("headers without end, a body that breaks off and no HTTP at all are failures", async (t) => {
  const post = sender(t);
  const wordy = await receive(t, certified, (_request, response) => {
    response.writeHead(200, { "X-Long": "x".repeat(200_000) }).end();
  });
  t.match(await post(wordy.url), { error: /header/i });
  const broken = await receive(t, certified, (_request, response) => {
    response.writeHead(200, { "Content-Length": "100" }).write("only this");
    response.socket?.end();
  });
  t.match(await post(broken.url), { error: /closed|terminated|end/i });
  const speech = createTlsServer({ cert: certified.certificate, key: certified.key }, (socket) => {
    socket.on("error", () => {}).end("220 mail.example.com ESMTP\r\n");
  });
  t.match(await post(`https://127.0.0.1:${await listen(t, speech)}/`), { error: /HTTP|parse/i });
});

t.test("versions of TLS that are broken, and receivers that speak HTTP/2 only, get nothing", async (t) => {
  const post = sender(t);
  let requests = 0;
  const old = createTlsServer(
    // Level 0: this machine's OpenSSL would not offer it by itself.
    {
      ...{ cert: certified.certificate, key: certified.key, ciphers: "DEFAULT@SECLEVEL=0" },
      ...{ minVersion: "TLSv1", maxVersion: "TLSv1.1" },
    },
    () => {
      requests += 1;
    },
  );
  t.match(await post(`https://127.0.0.1:${await listen(t, old)}/`), { error: /version|protocol|EPROTO/i });
  const h2 = createSecureServer({ cert: certified.certificate, key: certified.key }, (_request, response) => {
    requests += 1;
    response.end();
  });
  const answer = await post(`https://127.0.0.1:${await listen(t, h2 as never)}/`);
  t.ok("error" in answer || answer.statusCode >= 400, JSON.stringify(answer));
  t.equal(requests, 0);
});

t.test("who has begun to answer is heard out, also when the caller ends meanwhile", async (t) => {
  let finish = (): void => {};
  const receiver = await receive(t, certified, (_request, response) => {
    response.writeHead(202).flushHeaders();
    finish = () => response.end();
  });
  let headersCame = false;
  const hear = (): void => {
    headersCame = true;
  };
  subscribe("undici:request:headers", hear);
  t.teardown(() => unsubscribe("undici:request:headers", hear));
  const ending = new AbortController();
  const made = createWebhookSender({ userAgent: "test", allowed, ca: certified.ca });
  t.teardown(() => made.close());
  const attempt = made.post(receiver.url, {}, "{}", ending.signal);
  await until("the status is there", () => headersCame);
  ending.abort(new Error("stopping"));
  finish();
  t.match(await attempt, { statusCode: 202 });
});

t.test("attempts that were given up leave no connections behind", async (t) => {
  const post = sender(t);
  const receiver = await receive(t, certified, () => {});
  await Promise.all(Array.from({ length: 20 }, () => post(receiver.url)));
  await until("all are closed", () => receiver.open() === 0);
  t.equal(post.openOrigins(), 1);
});
