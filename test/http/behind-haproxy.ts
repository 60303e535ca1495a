import { randomBytes } from "node:crypto";
import t, { type Test } from "tap";
import { BodyTooLarge, createHttpServer, type Handler } from "../../src/http/exchange.ts";
import { startHaproxy } from "../support/haproxy.ts";
import { freePort } from "../support/redis-server.ts";
import { until } from "../support/until.ts";
import { exchangeRaw, rawRequests, startRecordingServer, statusesOf } from "./raw-requests.ts";

t.setTimeout(120_000);

/** What HAProxy answers itself has the shape of the service's errors. */
async function refusedByHaproxy(t: Test, response: Response, status: number, error: string): Promise<void> {
  t.equal(response.status, status);
  t.equal(response.headers.get("content-type"), "application/json");
  const body = JSON.parse(await response.text());
  t.match(body, { error, error_description: /./, trace_id: /^[0-9a-f]{32}$/ });
  t.equal(response.headers.get("x-trace-id"), body.trace_id);
}

/** Where HAProxy answers otherwise than nginx does, and both are right. */
const different: Record<string, readonly number[]> = {
  // It puts right what nginx refuses, and writes it anew before it passes it on.
  "two equal lengths": [200],
  "a list of lengths": [200],
  "a length and chunks": [200],
  "chunks and a length": [200],
  "a tab before chunked": [200],
  "a folded Transfer-Encoding": [200, 200],
  "Transfer-Encoding as a folded continuation": [200, 400],
  "two equal Hosts": [200],
  "a folded Host": [200],
  "HTTP/2.0": [200],
  "a method in small letters": [200],
  "a tab after the method": [200],
  // It refuses with another status.
  "chunks, then identity": [400],
  "identity, then chunks": [422],
  "gzip, then chunks": [422],
  identity: [400],
  xchunked: [400],
  "xchunked and a length": [400],
  "chunked in quotes": [400],
  "chunked with a parameter": [400],
  "an empty Transfer-Encoding": [400],
  "an empty Transfer-Encoding and a length": [400],
  "a vertical tab before chunked": [400],
  "a bell in a header value": [400],
  "headers of 20,000 bytes": [431],
  "150 headers": [400],
  CONNECT: [405],
  "a path of 50,000 bytes": [431],
  "the preface of HTTP/2": [400, 400],
  // It refuses what nginx lets through.
  "CHUNKED in capitals": [400],
  "junk after the last chunk": [400],
  "a header without a colon": [400],
  "HTTP/1.10": [400],
  "the absolute form of another host": [400],
  "bytes beyond ASCII in the path": [400],
  "a fragment in the path": [400],
  // It passes on what the service itself refuses: HTTP/1.0, trailers, odd paths.
  "HTTP/1.0": [505],
  "a trailer field": [505],
  "a trailer that is a length": [505],
  "OPTIONS *": [505],
  "an escaped NUL": [404],
  "an escape cut short": [404],
  "an escape that is no hex": [404],
  // It says so where nginx closes without a word.
  "a length that is too long": [408],
  "chunks without an end": [408],
  "a request and half of the next": [200, 408],
  "an empty line": [408],
  "half a header": [408],
  "HTTP/0.9": [400],
  "no version, but headers": [400],
};

t.test("behind HAProxy every raw request is answered as it should be, and none gets past it", async (t) => {
  const server = await startRecordingServer();
  t.teardown(server.close);
  const port = await startHaproxy(t, [server.port]);
  await until(
    "HAProxy takes the service to be well",
    async () => (await fetch(`http://127.0.0.1:${port}/asked`)).ok,
  );
  const outcomes = await Promise.all(
    rawRequests.map(async ({ name, bytes, proxied }) => ({
      name,
      proxied: different[name] ?? proxied,
      received: await exchangeRaw(port, bytes),
    })),
  );
  for (const { name, proxied, received } of outcomes) t.same(statusesOf(received), proxied, name);
  t.same(
    server.seen.filter(({ forwardedFor, rawPath }) => forwardedFor !== "127.0.0.1" && rawPath !== "/readyz"),
    [],
    "each request that the service saw is one that HAProxy saw, and marked",
  );
  t.same(server.failures, []);
});

t.test("HAProxy passes on what the service needs to know, and nothing that a client made up", async (t) => {
  const headers: Record<string, string | undefined> = {};
  const { port } = await serveBehindHaproxy(t, (request) => {
    for (const name of [
      "host",
      "x-forwarded-for",
      "x-forwarded-proto",
      "x-forwarded-host",
      "forwarded",
      "upgrade",
    ]) {
      headers[name] = request.header(name);
    }
    return { status: 200, headers: {}, body: `${request.rawPath}?${request.query}` };
  });
  const received = await exchangeRaw(
    port,
    [
      "GET /a%2Fb/../%63?d=%20 HTTP/1.1",
      "Host: passes.example.com:8443",
      "X-Forwarded-For: 6.6.6.6",
      "X-Forwarded-For: 7.7.7.7",
      "X-Forwarded-Proto: https",
      "X-Forwarded-Host: evil.example",
      "Forwarded: for=6.6.6.6",
      "Upgrade: h2c",
      "Connection: close, upgrade",
      "\r\n",
    ].join("\r\n"),
  );
  t.match(received, "/a%2Fb/../%63?d=%20", "the path goes on as it was sent");
  t.same(headers, {
    host: "passes.example.com:8443",
    "x-forwarded-for": "127.0.0.1",
    "x-forwarded-proto": "http",
    "x-forwarded-host": undefined,
    forwarded: undefined,
    upgrade: undefined,
  });
});

t.test("a batch of 8 MiB comes through, in whatever form; what is larger ends at HAProxy", async (t) => {
  const { port } = await serveBehindHaproxy(t, (request) => ({
    status: 200,
    headers: {},
    body: request.body(),
  }));
  const batches = `http://127.0.0.1:${port}/api/v1/batches`;
  const body = randomBytes(8 * 1024 * 1024);
  for (const sent of [body, ReadableStream.from([body.subarray(0, 5_000_000), body.subarray(5_000_000)])]) {
    const response = await fetch(batches, { method: "POST", body: sent, duplex: "half" });
    t.equal(response.status, 200);
    t.ok(body.equals(Buffer.from(await response.arrayBuffer())));
  }
  const beyond = [
    ["/api/v1/batches", 8 * 1024 * 1024 + 1],
    ["/api/v1/passes", 64 * 1024 + 1],
  ] as const;
  for (const [path, bytes] of beyond) {
    // Refused by its length: the connection closes before all of it could be sent.
    const received = await exchangeRaw(
      port,
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n`,
    );
    t.strictSame(statusesOf(received), [413], path);
    t.match(received, /\r\n\r\n\{"error":"invalid_request",.*"trace_id":"[0-9a-f]{32}"\}$/);
  }
});

t.test("the service's own 413 reaches the client, although the service does not read on", async (t) => {
  const { port } = await serveBehindHaproxy(t, (request) => ({
    status: 200,
    headers: {},
    body: request.body(),
  }));
  for (const bytes of [5000, 64 * 1024]) {
    const sent = Array.from({ length: 32 }, () =>
      fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: Buffer.alloc(bytes) }),
    );
    for (const response of await Promise.all(sent)) {
      t.equal(response.status, 413, `${bytes} bytes`);
      t.equal(await response.text(), "the service says so");
    }
  }
});

t.test("while the service is gone, clients are told to try again", async (t) => {
  const port = await startHaproxy(t, [await freePort()]);
  const response = await fetch(`http://127.0.0.1:${port}/`);
  t.equal(response.headers.get("retry-after"), "5");
  await refusedByHaproxy(t, response, 503, "unavailable");
});

async function serveBehindHaproxy(t: Test, handler: Handler): Promise<{ port: number }> {
  const server = createHttpServer({
    handler: (request) =>
      request.path === "/readyz" ? { status: 200, headers: {}, body: "" } : handler(request),
    maxBodyBytes: (_, path) => (path === "/api/v1/batches" ? 8 * 1024 * 1024 : 4096),
    onFailure: (error) => ({
      status: error instanceof BodyTooLarge ? 413 : 500,
      headers: {},
      body: "the service says so",
    }),
    log: { error: (facts) => t.fail("a failure was logged", { facts }) },
  });
  const { port: upstreamPort } = await server.listen("127.0.0.1", 0);
  t.teardown(() => server.drain(5000));
  const port = await startHaproxy(t, [upstreamPort]);
  await until("HAProxy takes it to be well", async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
  return { port };
}
