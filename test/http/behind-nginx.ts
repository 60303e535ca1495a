import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t, { type Test } from "tap";
import { BodyTooLarge, createHttpServer, type Handler } from "../../src/http/exchange.ts";
import { exchangeRaw, rawRequests, startRecordingServer, statusesOf } from "./raw-requests.ts";

t.setTimeout(90_000);

const configuration = new URL("../../deploy/nginx/passwright.conf", import.meta.url);

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Runs nginx on a free port with the production configuration, in front of the given port. */
async function startNginx(t: Test, upstreamPort: number): Promise<number> {
  const prefix = await mkdtemp(join(tmpdir(), "passwright-nginx-"));
  const port = await freePort();
  const production = await readFile(configuration, "utf8");
  const site = production
    .replace("server 127.0.0.1:8080 ", `server 127.0.0.1:${upstreamPort} `)
    .replace("listen 80;", `listen 127.0.0.1:${port};`);
  t.match(site, `server 127.0.0.1:${upstreamPort} max_fails=0;`, "the configuration names its upstream");
  t.match(site, `listen 127.0.0.1:${port};`, "and its port");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${kind};`,
  );
  await writeFile(join(prefix, "site.conf"), site);
  await writeFile(
    join(prefix, "nginx.conf"),
    `daemon off; pid nginx.pid; error_log error.log; worker_processes 1;
     ${process.getuid?.() === 0 ? "user root;" : ""}
     events {}
     http { access_log off; keepalive_timeout 2s; ${temporary.join(" ")} include site.conf; }`,
  );
  const nginx = spawn("nginx", ["-p", prefix, "-e", "error.log", "-c", "nginx.conf"], {
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const complaint = nginx.stderr.toArray();
  const ended = new Promise<string>((resolve) => {
    nginx.on("error", (error) =>
      resolve(`nginx cannot be run (is it installed? apt-get install nginx): ${error.message}`),
    );
    nginx.on("exit", async (code) => resolve(`nginx ended with ${code}: ${Buffer.concat(await complaint)}`));
  });
  t.teardown(async () => {
    nginx.kill();
    await ended;
    await rm(prefix, { recursive: true, force: true });
  });
  const failed = ended.then((reason) => Promise.reject(new Error(reason)));
  await Promise.race([
    accepting(port, nginx).then(() => (nginx.pid === undefined ? failed : undefined)),
    failed,
  ]);
  return port;
}

/** Resolves once a port accepts connections, or its owner does not run. */
async function accepting(port: number, owner: ChildProcess): Promise<void> {
  while (owner.pid !== undefined && owner.exitCode === null && owner.signalCode === null) {
    const socket = connect({ port, host: "127.0.0.1" });
    const connected = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (connected) return;
  }
}

/** What nginx answers itself has the shape of the service's errors. */
async function refusedByNginx(t: Test, response: Response, status: number, error: string): Promise<void> {
  t.equal(response.status, status);
  t.equal(response.headers.get("content-type"), "application/json");
  const body = JSON.parse(await response.text());
  t.match(body, { error, error_description: /./, trace_id: /^[0-9a-f]{32}$/ });
  t.equal(response.headers.get("x-trace-id"), body.trace_id);
}

t.test("behind nginx every raw request is answered as it should be, and none gets past it", async (t) => {
  const server = await startRecordingServer();
  t.teardown(server.close);
  const port = await startNginx(t, server.port);
  const outcomes = await Promise.all(
    rawRequests.map(async ({ name, bytes, proxied }) => ({
      name,
      proxied,
      received: await exchangeRaw(port, bytes),
    })),
  );
  for (const { name, proxied, received } of outcomes) t.same(statusesOf(received), proxied, name);
  t.same(
    server.seen.filter(({ forwardedFor }) => forwardedFor !== "127.0.0.1"),
    [],
    "each request that the service saw is one that nginx saw, and marked",
  );
  t.same(server.failures, []);
});

t.test("nginx passes on what the service needs to know, and nothing that a client made up", async (t) => {
  const headers: Record<string, string | undefined> = {};
  const { port } = await serveBehindNginx(t, (request) => {
    for (const name of [
      "host",
      "x-forwarded-for",
      "x-forwarded-proto",
      "x-forwarded-host",
      "forwarded",
      "connection",
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
      "X-Forwarded-Proto: https",
      "X-Forwarded-Host: evil.example",
      "Forwarded: for=6.6.6.6",
      "Connection: close",
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
    connection: undefined,
  });
});

t.test("a batch of 8 MiB comes through, in whatever form; what is larger ends at nginx", async (t) => {
  const { port } = await serveBehindNginx(t, (request) => ({
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
    [batches, 8 * 1024 * 1024 + 1],
    [`http://127.0.0.1:${port}/api/v1/passes`, 64 * 1024 + 1],
  ] as const;
  for (const [url, bytes] of beyond) {
    await refusedByNginx(
      t,
      await fetch(url, { method: "POST", body: Buffer.alloc(bytes) }),
      413,
      "invalid_request",
    );
  }
});

t.test("the service's own 413 reaches the client, although the service does not read on", async (t) => {
  const { port } = await serveBehindNginx(t, (request) => ({
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
  const port = await startNginx(t, await freePort());
  const response = await fetch(`http://127.0.0.1:${port}/`);
  t.equal(response.headers.get("retry-after"), "5");
  await refusedByNginx(t, response, 503, "unavailable");
  const malformed = await fetch(`http://127.0.0.1:${port}/%zz`);
  await refusedByNginx(t, malformed, 400, "invalid_request");
});

async function serveBehindNginx(t: Test, handler: Handler): Promise<{ port: number }> {
  const server = createHttpServer({
    handler,
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
  return { port: await startNginx(t, upstreamPort) };
}
