import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import { networkInterfaces } from "node:os";
import t, { type Test } from "tap";
import { PasswrightError } from "../../src/domain/errors.ts";
import { BodyPieces } from "../../src/http/body-pieces.ts";
import {
  BodyTooLarge,
  createHttpServer,
  type Handler,
  type HttpRequest,
  type HttpServerOptions,
} from "../../src/http/exchange.ts";
import { exchangeRaw, statusesOf } from "./raw-requests.ts";

type Answer = { status: number; headers: IncomingMessage["headers"]; rawHeaders: string[]; body: Buffer };
type Call = { method?: string; headers?: Record<string, string>; body?: string | Buffer; agent?: Agent };

/** A server for one test, on a free port, and a way to ask it. */
async function serve(
  t: Test,
  handler: Handler,
  options: Partial<HttpServerOptions> & { host?: string } = {},
) {
  const { host = "127.0.0.1", ...overrides } = options;
  const logged: object[] = [];
  const server = createHttpServer({
    handler,
    maxBodyBytes: () => 64 * 1024,
    onFailure: (error) => ({ status: statusOf(error), headers: { "x-failed": "yes" }, body: String(error) }),
    log: { error: (facts) => logged.push(facts) },
    ...overrides,
  });
  const { port } = await server.listen(host, 0);
  t.teardown(() => server.drain(0));
  const ask = (path: string, call: Call = {}) => askPort(port, path, call);
  return { server, port, logged, ask };
}

function statusOf(error: unknown): number {
  if (error instanceof BodyTooLarge) return 413;
  if (!(error instanceof PasswrightError)) return 500;
  return error.kind === "invalid" ? 400 : 503;
}

async function askPort(
  port: number,
  path: string,
  { method = "GET", headers = {}, body, agent }: Call,
): Promise<Answer> {
  const asking = httpRequest({ port, host: "127.0.0.1", path, method, headers, ...(agent ? { agent } : {}) });
  asking.end(body);
  const [response] = (await once(asking, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const { statusCode = 0, rawHeaders } = response;
  return { status: statusCode, headers: response.headers, rawHeaders, body: Buffer.concat(chunks) };
}

const ok = { status: 200, headers: {}, body: "ok" };

t.test("a handler gets everything of the request, also after it has waited", async (t) => {
  let seen: HttpRequest | undefined;
  const { port } = await serve(t, async (request) => {
    await new Promise((resolve) => setImmediate(resolve));
    seen = request;
    return { ...ok, closeConnection: true };
  });
  await exchangeRaw(
    port,
    "POST /a%20b/c?x=1&y=%20 HTTP/1.1\r\nHost: a:80\r\nX-Forwarded-For: 1.1.1.1\r\nContent-Length: 3\r\nX-FORWARDED-FOR: 2.2.2.2\r\n\r\nabc",
  );
  t.match(seen, {
    method: "POST",
    rawPath: "/a%20b/c",
    path: "/a b/c",
    query: "x=1&y=%20",
    remoteAddress: "127.0.0.1",
  });
  t.same(seen?.segments, ["a b", "c"]);
  t.equal(seen?.header("x-forwarded-for"), "1.1.1.1, 2.2.2.2");
  t.same(seen?.headerValues("x-forwarded-for"), ["1.1.1.1", "2.2.2.2"]);
  t.equal(seen?.header("host"), "a:80");
  t.equal(seen?.header("absent"), undefined);
  t.equal(seen?.body().toString(), "abc");
  t.equal(seen?.signal.aborted, false);
});

t.test("a path is decoded once and has no segments when it hides something", async (t) => {
  const { ask } = await serve(t, ({ path, segments }) => ({
    ...ok,
    body: JSON.stringify({ path, segments }),
  }));
  const expected: Record<string, [string, string[]]> = {
    "/": ["/", [""]],
    "/a/": ["/a/", ["a", ""]],
    "//a": ["//a", ["", "a"]],
    "/a%2Fb/c": ["", ["a/b", "c"]],
    "/%252e%252e/a": ["/%2e%2e/a", ["%2e%2e", "a"]],
    "/%E2%82%AC": ["/€", ["€"]],
    "/...": ["/...", ["..."]],
    "/a/../b": ["", []],
    "/a/%2e%2E/b": ["", []],
    "/a/.": ["", []],
    "/a%00": ["", []],
    "/a%0a": ["", []],
    "/a%7f": ["", []],
    "/a%": ["", []],
    "/%c0%ae": ["", []],
    "/%ff": ["", []],
  };
  for (const [rawPath, [path, segments]] of Object.entries(expected)) {
    t.same(JSON.parse((await ask(rawPath)).body.toString()), { path, segments }, rawPath);
  }
});

t.test("the peer's address is text, IPv6 in its short form, IPv4 also on a socket of both", async (t) => {
  const interfaces = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  if (!interfaces.some(({ address }) => address === "::1")) {
    t.comment("this machine has no IPv6");
    return;
  }
  const { port } = await serve(t, ({ remoteAddress }) => ({ ...ok, body: remoteAddress }), { host: "::" });
  t.equal(await (await fetch(`http://[::1]:${port}/`)).text(), "::1");
  t.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), "127.0.0.1");
});

t.test("a body arrives whole, with a length or in chunks, up to the very limit of its route", async (t) => {
  const asked: string[] = [];
  const { port } = await serve(t, (request) => ({ ...ok, body: request.body() }), {
    maxBodyBytes(method, path) {
      asked.push(`${method} ${path}`);
      return 1024 * 1024;
    },
  });
  const body = randomBytes(1024 * 1024);
  const url = `http://127.0.0.1:${port}/large`;
  const measured = await fetch(url, { method: "PUT", body });
  t.ok(body.equals(Buffer.from(await measured.arrayBuffer())));
  const pieces = Array.from({ length: 16 }, (_, index) =>
    body.subarray(index * 65_536, (index + 1) * 65_536),
  );
  const chunked = await fetch(url, { method: "POST", body: ReadableStream.from(pieces), duplex: "half" });
  t.ok(body.equals(Buffer.from(await chunked.arrayBuffer())));
  t.equal(chunked.headers.get("connection"), "close", "nothing is taken from a connection after chunks");
  t.same(asked, ["PUT /large", "POST /large"]);
});

t.test(
  "a body that is too large is refused by the handler's own path, and the connection closes",
  async (t) => {
    const { port } = await serve(t, (request) => ({ ...ok, body: request.body() }));
    for (const bytes of [70_000, 10_000_000]) {
      const body = Buffer.alloc(bytes);
      for (const sent of [body, ReadableStream.from([body])]) {
        const response = await fetch(`http://127.0.0.1:${port}/`, {
          method: "POST",
          body: sent,
          duplex: "half",
        });
        t.equal(response.status, 413);
        t.equal(response.headers.get("connection"), "close");
        t.equal(
          await response.text(),
          "PasswrightError: invalid_request: the body must not be larger than 65536 bytes",
        );
      }
    }
    const unread = await exchangeRaw(port, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999\r\n\r\n");
    t.same(statusesOf(unread), [413], "without waiting for what was announced");
  },
);

t.test("a handler starts after the last byte of the body and never when that does not come", async (t) => {
  const started: string[] = [];
  const { port } = await serve(t, (request) => {
    started.push(`${request.path} ${request.body()}`);
    return { ...ok, closeConnection: true };
  });
  const socket = connect({ port, host: "127.0.0.1" });
  socket.write("POST /half HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabc");
  const head = "POST /whole HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n";
  await exchangeRaw(port, [`${head}ab`, "cd", "ef"]);
  t.same(started, ["/whole abcdef"], "/half came first and still waits");
  socket.destroy();
  await exchangeRaw(port, `${head}second`);
  t.same(started, ["/whole abcdef", "/whole second"]);
});

t.test("a request with another behind it does not run, however quick its handler", async (t) => {
  const seen: string[] = [];
  const { port } = await serve(t, (request) => {
    seen.push(request.path);
    return { ...ok, closeConnection: true };
  });
  const next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n";
  const firsts = [
    "GET /first HTTP/1.1\r\nHost: a\r\n\r\n",
    "POST /first HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
    "POST /first HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
  ];
  for (const first of firsts) t.same(statusesOf(await exchangeRaw(port, first + next)), []);
  t.same(seen, []);
  for (const first of firsts.slice(0, 3))
    t.same(statusesOf(await exchangeRaw(port, first)), [200], "alone it does");
});

t.test("whatever a handler throws, now or later, becomes a response", async (t) => {
  const { ask, logged } = await serve(t, (request) => {
    if (request.path === "/now") throw new Error("now");
    if (request.path === "/nothing") throw undefined;
    return Promise.reject(new PasswrightError("invalid_request", "later"));
  });
  t.match(await ask("/now"), { status: 500, headers: { "x-failed": "yes" } });
  t.match(await ask("/nothing"), { status: 500, headers: { "x-failed": "yes" } });
  t.match(await ask("/later"), { status: 400, headers: { "x-failed": "yes" } });
  t.same(logged, []);
});

t.test("when the failure fails too there is still a bare 500", async (t) => {
  const { ask, logged } = await serve(
    t,
    () => {
      throw new Error("first");
    },
    {
      onFailure() {
        throw new Error("second");
      },
    },
  );
  const { status, body } = await ask("/");
  t.equal(status, 500);
  t.equal(body.length, 0);
  t.match(logged, [{ err: { message: "second" }, cause: { message: "first" } }]);
});

t.test("no header can end early, name what is not a handler's, or have an impossible name", async (t) => {
  const { ask } = await serve(t, (request) => {
    const name = decodeURIComponent(request.query.split("=")[0] ?? "");
    const value = decodeURIComponent(request.query.split("=")[1] ?? "");
    return { ...ok, headers: [[name, value]] };
  });
  t.match(await ask("/?x=a%09b"), { status: 200, headers: { x: "a\tb" } }, "a tab is harmless");
  const hostile = [
    "x=a%0d%0aSet-Cookie: b",
    "x=a%0ab",
    "x=a%0db",
    "x=a%00b",
    "x=a%7fb",
    "x%0d%0ay=a",
    "x y=a",
    "x:=a",
    "=a",
  ];
  const reserved = ["Content-Length=5", "transfer-encoding=chunked", "Connection=keep-alive", "date=now"];
  for (const query of [...hostile, ...reserved]) {
    const { status, headers } = await ask(`/?${query.replaceAll(" ", "%20")}`);
    t.equal(status, 500, query);
    t.notOk("set-cookie" in headers, query);
    t.not(headers.x, "a", query);
  }
});

t.test("a status that is none is a failure, not a response", async (t) => {
  const { ask } = await serve(t, (request) => ({ ...ok, status: Number(request.query) }));
  for (const status of ["99", "101", "299", "600", "200.5", "NaN"])
    t.equal((await ask(`/?${status}`)).status, 500, status);
});

t.test("a handler that does not answer in time is answered for, and told", async (t) => {
  let reason: unknown;
  let finish = () => {};
  const { ask, logged } = await serve(
    t,
    async (request) => {
      if (request.path === "/quick") return ok;
      request.signal.addEventListener("abort", () => {
        reason = request.signal.reason;
      });
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return ok;
    },
    { deadlineMs: 50 },
  );
  const { status, body } = await ask("/slow");
  t.equal(status, 503);
  t.match(body.toString(), /no answer within 50 ms/);
  t.match(reason, { code: "unavailable", retryAfterSeconds: 1 });
  finish();
  t.equal((await ask("/quick")).status, 200);
  t.same(logged, [], "the late answer is dropped in silence");
});

t.test("a client that goes away is told to the handler, and its answer is dropped in silence", async (t) => {
  const { promise: gone, resolve } = Promise.withResolvers<HttpRequest>();
  const { port, ask, logged } = await serve(t, async (request) => {
    if (request.path === "/quick") return ok;
    socket.destroy();
    await once(request.signal, "abort");
    resolve(request);
    return ok;
  });
  const socket = connect({ port, host: "127.0.0.1" });
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  const request = await gone;
  t.match(request.signal.reason, { message: "the client is gone" });
  t.equal((await ask("/quick")).status, 200);
  t.same(logged, []);
});

t.test("HEAD is answered like GET, without the body, on a connection that goes on", async (t) => {
  const { port } = await serve(t, (request) => ({
    ...ok,
    headers: { "x-method": request.method },
    body: "é".repeat(50_000),
  }));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  for (const path of ["/one", "/two"]) {
    const { status, headers, body } = await askPort(port, path, { method: "HEAD", agent });
    t.match(
      { status, headers },
      { status: 200, headers: { "x-method": "HEAD", "content-length": "100000" } },
    );
    t.equal(headers.connection, undefined);
    t.equal(body.length, 0);
  }
  t.equal(
    (await askPort(port, "/three", { agent })).body.length,
    100_000,
    "and GET has the body it was measured by",
  );
  const raw = await exchangeRaw(port, "HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  t.match(raw, /\r\n\r\n$/, "not a byte after the headers");
});

t.test("204 and 304 have neither a body nor a length, on a connection that goes on", async (t) => {
  const { port } = await serve(t, (request) => ({ ...ok, status: Number(request.query) }));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  for (const expected of [204, 304, 204]) {
    const { status, headers } = await askPort(port, `/?${expected}`, { agent });
    t.equal(status, expected);
    t.notOk("content-length" in headers);
    t.notOk("transfer-encoding" in headers);
  }
  t.equal((await askPort(port, "/?200", { agent })).body.toString(), "ok");
  for (const status of [204, 304]) {
    const chunked = `DELETE /?${status} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
    t.same(statusesOf(await exchangeRaw(port, chunked)), [status], "and after chunks it ends");
  }
});

t.test("each response has one length, one date and no sign of what serves it", async (t) => {
  const { ask } = await serve(t, () => ({
    ...ok,
    headers: [
      ["Set-Cookie", "a"],
      ["Set-Cookie", "b"],
    ],
  }));
  const { rawHeaders } = await ask("/");
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  t.same(names.sort(), ["content-length", "date", "set-cookie", "set-cookie"]);
});

t.test("a response without a body says that it is empty", async (t) => {
  const { ask } = await serve(t, () => ({ ...ok, status: 202, body: null }));
  t.match(await ask("/"), { status: 202, headers: { "content-length": "0" } });
});

t.test("a large body reaches a slow reader whole, in one piece or in several", async (t) => {
  const body = randomBytes(400_000);
  const larger = randomBytes(24_000_000); // more than the kernel's buffers take, so the server has to wait
  const cuts = [0, 0, 1, 30, 9_000_000, 9_000_000, 9_500_000, 23_999_999, larger.length, larger.length];
  const pieces = cuts.map((end, i) => larger.subarray(cuts[i - 1] ?? 0, end));
  const bodies: Record<string, Uint8Array | BodyPieces> = {
    "/pass": body,
    "/larger": larger,
    "/pieces": new BodyPieces(pieces),
    "/small-pieces": new BodyPieces([body.subarray(0, 5), body.subarray(5, 9)]),
  };
  const { port } = await serve(t, (request) => ({ ...ok, body: bodies[request.path] ?? null }));
  for (const [path, sent] of [
    ["/pass", body],
    ["/larger", larger],
    ["/pieces", larger],
    ["/small-pieces", body.subarray(0, 9)],
  ] as const) {
    const asking = httpRequest({ port, host: "127.0.0.1", path });
    asking.end();
    const [response] = (await once(asking, "response")) as [IncomingMessage];
    const digest = createHash("sha256");
    let bytes = 0;
    for await (const chunk of response) {
      digest.update(chunk);
      bytes += chunk.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    t.equal(bytes, sent.length);
    t.equal(digest.digest("hex"), createHash("sha256").update(sent).digest("hex"));
    t.equal(response.headers["content-length"], String(sent.length));
  }
});

t.test("a reader that leaves in the middle of a large body takes nothing with it", async (t) => {
  const body = Buffer.alloc(24_000_000);
  const { server, port, ask, logged } = await serve(t, (request) =>
    request.path === "/large" ? { ...ok, body } : ok,
  );
  const socket = connect({ port, host: "127.0.0.1" });
  socket.write("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
  await once(socket, "data");
  socket.destroy();
  t.equal((await ask("/")).status, 200);
  await server.drain(60_000); // would wait for a body that is still being sent
  t.same(logged, []);
});

t.test("a handler can close the connection, also after a large body", async (t) => {
  const { port } = await serve(t, (request) => ({
    ...ok,
    body: "a".repeat(Number(request.query)),
    closeConnection: true,
  }));
  for (const bytes of [0, 10, 2_000_000]) {
    const received = await exchangeRaw(port, `GET /?${bytes} HTTP/1.1\r\nHost: a\r\n\r\n`);
    t.match(received, /\r\nConnection: close\r\n/i);
    t.equal(received.length - received.indexOf("\r\n\r\n") - 4, bytes);
  }
});

t.test("a client that asks to close is told that the connection closes, once", async (t) => {
  const large = "a".repeat(50_000);
  const { port } = await serve(t, (request) => ({
    ...ok,
    status: Number(request.query),
    body: request.path === "/large" ? large : "ok",
  }));
  const asks = [
    ["GET /large?200", "close"],
    ["GET /small?200", "Close"],
    ["GET /small?200", "keep-alive, close"],
    ["GET /small?204", "close"],
    ["HEAD /large?200", "close"],
    ["HEAD /small?204", "close"],
  ];
  for (const [line, connection] of asks) {
    const received = await exchangeRaw(
      port,
      `${line} HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\n\r\n`,
    );
    t.equal(received.match(/\r\nConnection: close\r\n/gi)?.length, 1, `${line}, ${connection}`);
    t.equal(received.match(/\r\nContent-Length: \d+\r\n/gi)?.length ?? 0, line?.endsWith("204") ? 0 : 1);
  }
});

t.test("a port that is taken is a mistake of the configuration", async (t) => {
  const { port } = await serve(t, () => ok);
  const second = createHttpServer({
    handler: () => ok,
    maxBodyBytes: () => 0,
    onFailure: () => ok,
    log: { error: () => {} },
  });
  await t.rejects(second.listen("127.0.0.1", port), { code: "invalid_configuration", detail: /taken/ });
  await t.rejects(second.listen("203.0.113.7", 0), { code: "invalid_configuration" });
  await second.drain(0);
});

t.test("processes can share a port when both ask for it", async (t) => {
  const script = `
    import { createHttpServer } from ${JSON.stringify(new URL("../../src/http/exchange.ts", import.meta.url).href)};
    const answer = { status: 200, headers: {}, body: String(process.pid) };
    const server = createHttpServer({ handler: () => answer, maxBodyBytes: () => 0, onFailure: () => answer, log: console });
    const { port } = await server.listen("127.0.0.1", Number(process.argv[1]), { shared: true });
    console.log(port);
    process.stdin.resume().on("end", () => server.drain(0));
  `;
  const start = async (port: number) => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", script, String(port)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const [line] = await once(child.stdout, "data");
    return { child, port: Number(line), exited: once(child, "exit") };
  };
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port: free } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const first = await start(free);
  const second = await start(free);
  t.equal(second.port, first.port);
  const answers = new Set<string>();
  while (answers.size < 2)
    answers.add((await askPort(first.port, "/", { headers: { connection: "close" } })).body.toString());
  t.same(answers, new Set([String(first.child.pid), String(second.child.pid)]));
  for (const { child, exited } of [first, second]) {
    child.stdin.end();
    t.same(await exited, [0, null], "and nothing keeps a drained process alive");
  }
});

t.test(
  "draining finishes what is in flight, says so to its connections, and accepts nothing new",
  async (t) => {
    let finish = () => {};
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    const { server, port } = await serve(t, async (request) => {
      if (request.path === "/idle") return ok;
      start();
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return { ...ok, body: "a".repeat(Number(request.query)) };
    });
    const idle = connect({ port, host: "127.0.0.1" });
    idle.write("GET /idle HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(idle, "data");
    const idleClosed = once(idle, "close");
    const inFlight = askPort(port, "/?5000000", {});
    await started;
    let drained = false;
    const draining = server.drain(60_000).then(() => {
      drained = true;
    });
    // What comes in the very turn in which it is told is accepted.
    await new Promise((later) => setImmediate(later));
    await t.rejects(askPort(port, "/", {}), { code: "ECONNREFUSED" });
    t.equal(drained, false);
    finish();
    const { status, headers, body } = await inFlight;
    t.equal(status, 200);
    t.equal(headers.connection, "close");
    t.equal(body.length, 5_000_000);
    await draining;
    await idleClosed;
  },
);

t.test(
  "who is between two requests when a drain begins is answered, and told that it is the last time",
  async (t) => {
    const { server, ask } = await serve(t, () => ({ status: 200, headers: {}, body: "here" }));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    t.teardown(() => agent.destroy());
    t.equal((await ask("/", { agent })).headers.connection, undefined);
    const draining = server.drain(60_000);
    const last = await ask("/", { agent });
    t.equal(last.status, 200);
    t.equal(last.headers.connection, "close");
    await t.rejects(ask("/", { agent }), { code: "ECONNREFUSED" }, "a new connection is not taken");
    await draining;
  },
);

t.test("draining is bounded, and what it cuts off learns of it", async (t) => {
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const { server, port } = await serve(t, async (request) => {
    start();
    await once(request.signal, "abort");
    resolve();
    return ok;
  });
  const cut = t.rejects(askPort(port, "/", {}));
  await started;
  await server.drain(10);
  await aborted;
  await cut;
});
