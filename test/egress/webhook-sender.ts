import { setImmediate as turn } from "node:timers/promises";
import ipaddr from "ipaddr.js";
import t, { type Test } from "tap";
import { createWebhookSender } from "../../src/egress/webhook-sender.ts";
import { freePort } from "../support/redis-server.ts";
import { until } from "../support/until.ts";
import { certify, receive } from "./fixtures/receiver.ts";

const certified = certify();
const loopback = ["127.0.0.0/8", "::1/128"].map((range) => ipaddr.parseCIDR(range));
const never = new AbortController().signal;

/** A sender that may reach loopback and trusts the receivers' authority. */
function sender(t: Test, options: Partial<Parameters<typeof createWebhookSender>[0]> = {}) {
  const made = createWebhookSender({
    userAgent: "Passwright/1.2.3",
    allowed: loopback,
    ca: certified.ca,
    ...options,
  });
  t.teardown(() => made.close());
  return (url: string, body = "{}", signal = never) =>
    made.post(url, { "X-Service-Event": "pass.created" }, body, signal);
}

t.test("a delivery is a POST of exactly the body, with our headers, to path and query", async (t) => {
  const receiver = await receive(t, certified);
  const body = '{"name":"Zoë 🎟"}';
  t.strictSame(await sender(t)(`${receiver.url}/hooks/1?a=b%20c`, body), {
    statusCode: 200,
    retryAfterSeconds: null,
  });
  t.match(receiver.received, [
    {
      method: "POST",
      url: "/hooks/1?a=b%20c",
      body,
      headers: {
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(body)),
        "user-agent": "Passwright/1.2.3",
        "x-service-event": "pass.created",
      },
    },
  ]);
});

t.test("every status is an answer, and a redirect is one too: nobody follows it", async (t) => {
  const elsewhere = await receive(t, certified);
  for (const status of [201, 204, 301, 302, 303, 307, 308, 400, 410, 500, 502]) {
    const receiver = await receive(t, certified, (_request, response) => {
      response.writeHead(status, { Location: `${elsewhere.url}/stolen` }).end();
    });
    t.strictSame(await sender(t)(receiver.url), { statusCode: status, retryAfterSeconds: null });
    t.equal(receiver.received.length, 1);
  }
  t.equal(elsewhere.connections(), 0);
});

t.test(
  "Retry-After of a 429 or 503 is told in seconds, as a number or a date, and of nothing else",
  async (t) => {
    let status = 503;
    let header = "";
    const receiver = await receive(t, certified, (_request, response) => {
      response.writeHead(status, { "Retry-After": header }).end();
    });
    const post = sender(t);
    const asked = async (code: number, text: string) => {
      [status, header] = [code, text];
      const answer = await post(receiver.url);
      return "statusCode" in answer ? answer.retryAfterSeconds : answer.error;
    };
    t.equal(await asked(503, "120"), 120);
    t.equal(await asked(429, "0"), 0);
    t.equal(await asked(500, "120"), null);
    t.equal(await asked(503, "soon"), null);
    t.equal(await asked(503, new Date(Date.now() - 60_000).toUTCString()), 0, "a date that is over");
    const inAnHour = await asked(503, new Date(Date.now() + 3_600_000).toUTCString());
    t.ok(typeof inAnHour === "number" && inAnHour > 3500 && inAnHour <= 3600, `${inAnHour}`);
  },
);

t.test("an endless answer is left after its beginning, and is an answer", async (t) => {
  let written = 0;
  const receiver = await receive(t, certified, (_request, response) => {
    const chunk = Buffer.alloc(16 * 1024, "x");
    const more = (): void => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length;
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  });
  t.match(await sender(t)(receiver.url), { statusCode: 200 });
  await until("the connection is closed", () => receiver.open() === 0);
  t.ok(written < 50 * 1024 * 1024, `${written} bytes were written at most`);
});

t.test("a compressed answer is not unpacked", async (t) => {
  const receiver = await receive(t, certified, (_request, response) => {
    response.writeHead(200, { "Content-Encoding": "gzip" }).end("this is no gzip");
  });
  t.match(await sender(t)(receiver.url), { statusCode: 200 });
});

t.test("an attempt that its caller ends rejects, while nothing has come back", async (t) => {
  const receiver = await receive(t, certified, () => {});
  const ending = new AbortController();
  const attempt = sender(t)(receiver.url, "{}", ending.signal);
  await until("the receiver has it", () => receiver.received.length === 1);
  ending.abort(new Error("stopping"));
  await t.rejects(attempt, { message: "stopping" });
});

t.test("what goes wrong on the way is told in a sentence, and is no exception", async (t) => {
  const post = sender(t);
  const closing = await receive(t, certified, (_request, response) => response.destroy());
  t.match(await post(closing.url), { error: /closed|reset/i });
  const { port } = await receive(t, certified);
  t.match(await post(`https://name-that-cannot-be.invalid:${port}/`), { error: /ENOTFOUND|EAI_AGAIN/ });
  await turn();
  t.match(await post(`https://127.0.0.1:${await freePort()}/`), { error: /ECONNREFUSED/ });
  t.match(await post("https://127.0.0.1:1/"), { error: /^127\.0\.0\.1 names port 1, / });
});

t.test("who cannot prove who they are gets no delivery", async (t) => {
  const trusted = await receive(t, certified);
  t.match(
    await sender(t, { ca: null })(trusted.url),
    { error: /certificate|self-signed|issuer/i },
    "no such root",
  );
  const foreign = await receive(t, certify());
  t.match(await sender(t)(foreign.url), { error: /certificate|self-signed|issuer/i }, "another authority");
  const misnamed = certify({ names: "DNS:elsewhere.example" });
  const impostor = await receive(t, misnamed);
  t.match(
    await sender(t, { ca: misnamed.ca })(impostor.url),
    { error: /altname|does not match/i },
    "another name",
  );
  const expired = certify({ days: 0 });
  const late = await receive(t, expired);
  t.match(await sender(t, { ca: expired.ca })(late.url), { error: /expired/i }, "yesterday's");
  for (const { received } of [trusted, foreign, impostor, late]) t.equal(received.length, 0);
});

t.test("of what a receiver can make as long as it likes, a history keeps the beginning", async (t) => {
  const names = Array.from({ length: 100 }, (_, index) => `DNS:${"a".repeat(60)}.${index}.example`).join();
  const wordy = certify({ names });
  const receiver = await receive(t, wordy);
  const answer = await sender(t, { ca: wordy.ca })(receiver.url.replace("127.0.0.1", "localhost"));
  t.match(answer, { error: /does not match.*… \(ERR_TLS_CERT_ALTNAME_INVALID\)$/ });
  t.ok("error" in answer && answer.error.length < 350, "and the code, which tells what to do about it");
});

t.test("proxies that the environment names are not asked", async (t) => {
  const proxy = await receive(t, certified);
  const receiver = await receive(t, certified);
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "NODE_USE_ENV_PROXY"];
  for (const name of names) process.env[name] = name.startsWith("NODE") ? "1" : proxy.url;
  t.teardown(() => {
    for (const name of names) delete process.env[name];
  });
  t.match(await sender(t)(receiver.url), { statusCode: 200 });
  t.equal(proxy.connections(), 0);
});

t.test("an attempt that still waits for a connection ends at once when its caller ends it", async (t) => {
  const receiver = await receive(t, certified, () => {});
  const post = sender(t);
  const hanging = new AbortController();
  const others = Array.from({ length: 8 }, () => post(receiver.url, "{}", hanging.signal).catch(() => {}));
  await until("all connections are taken", () => receiver.received.length === 8);
  const ending = new AbortController();
  const waiting = post(receiver.url, "{}", ending.signal);
  ending.abort(new Error("stopping"));
  await t.rejects(waiting, { message: "stopping" });
  hanging.abort();
  await Promise.all(others);
  t.equal(receiver.received.length, 8);
});

t.test("an attempt that was ended before it began sends nothing", async (t) => {
  const receiver = await receive(t, certified);
  await t.rejects(sender(t)(receiver.url, "{}", AbortSignal.abort(new Error("stopping"))), {
    message: "stopping",
  });
  t.equal(receiver.received.length, 0);
});
