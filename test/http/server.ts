import { randomBytes } from "node:crypto";
import t from "tap";
import { openApp, openServing } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import type { Scope } from "../../src/domain/applications/application.ts";
import { createApplication } from "../../src/domain/applications/create.ts";
import { createTenant } from "../../src/domain/tenants/create.ts";
import { createImagePath } from "../../src/http/image-address.ts";
import { createHttpMetrics } from "../../src/http/metrics.ts";
import { createApiServer } from "../../src/http/server.ts";
import type { ServingDeps } from "../../src/http/serving.ts";
import { openStore } from "../support/store.ts";

const store = await openStore(t, { partitions: 16 });
const config = readConfig({
  env: {
    PASSWRIGHT_REDIS_URL: store.url,
    PASSWRIGHT_KEY_PREFIX: store.keys.prefix,
    PASSWRIGHT_MASTER_KEY: randomBytes(32).toString("base64"),
    PASSWRIGHT_LOG_LEVEL: "silent",
  },
});
const app = await openApp(config, { name: "test" });
const serving = await openServing(app, "https://passes.example.com");
const lines: [string, Record<string, unknown>][] = [];
const write = (facts: Record<string, unknown>, event: string) => lines.push([event, facts]);
const deps: ServingDeps = {
  ...serving,
  log: { debug: write, info: write, warn: write, error: write },
  imagePath: createImagePath(),
  metrics: createHttpMetrics(),
  clientAddress: ({ remoteAddress }) => remoteAddress,
  stopping: new AbortController().signal,
};
const server = createApiServer(deps);
const { port } = await server.listen("127.0.0.1", 0);
t.teardown(async () => {
  await server.drain(0);
  await serving.close();
});

const tenant = await createTenant(app, { name: "Example", billing: { mode: "prepaid", credits: 0 } });
const { application } = await createApplication(serving, { tenantId: tenant.id, name: "x", type: "backend" });
const issuedAt = Math.floor(Date.now() / 1000);
const tokenFor = (...scopes: Scope[]): Promise<string> =>
  serving.accessTokens.sign({
    tenantId: tenant.id,
    applicationId: application.id,
    scopes,
    id: app.ids.uuid(),
    issuedAt,
    expiresAt: issuedAt + 600,
  });
const reader = await tokenFor("passes:read");
const writer = await tokenFor("passes:write");

type Call = { method?: string; token?: string; body?: string; headers?: Record<string, string> };
async function ask(path: string, { method = "GET", token, body, headers = {} }: Call = {}) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...(token !== undefined && { Authorization: `Bearer ${token}` }), ...headers },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
}
const json = { "Content-Type": "application/json" };

t.test("what is checked first is told first: path, method, token, scope, id, body, resource", async (t) => {
  const unknown = "0193a0b4-7c11-7abc-8def-0123456789ab";
  const cases: [string, Call, number, string][] = [
    ["/api/v1/nothing", { method: "PUT", token: "bad", body: "{" }, 404, "not_found"],
    ["/api/v1/passes/not-an-id", { method: "POST", token: "bad" }, 405, "method_not_allowed"],
    ["/api/v1/passes/not-an-id", { token: "bad" }, 401, "invalid_token"],
    ["/api/v1/passes/not-an-id", { token: writer }, 403, "insufficient_scope"],
    ["/api/v1/passes/not-an-id", { token: reader }, 404, "not_found"],
    [`/api/v1/passes/${unknown}`, { token: reader }, 404, "not_found"],
    ["/api/v1/passes?page=0", { token: "bad" }, 401, "invalid_token"],
    ["/api/v1/passes?page=0", { token: writer }, 403, "insufficient_scope"],
    ["/api/v1/passes?page=0", { token: reader }, 400, "invalid_request"],
    [
      "/api/v1/passes",
      { method: "POST", token: reader, body: "{", headers: json },
      403,
      "insufficient_scope",
    ],
    ["/api/v1/passes", { method: "POST", token: writer, body: "{", headers: json }, 400, "invalid_request"],
  ];
  for (const [path, call, status, code] of cases) {
    const answer = await ask(path, call);
    t.strictSame([answer.status, answer.json().error], [status, code], `${call.method ?? "GET"} ${path}`);
  }
});

t.test("every answer bears a trace id, and an error object the same", async (t) => {
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  for (const path of ["/healthz", "/.well-known/jwks.json", "/nothing", "/api/v1/passes", "/p/none"]) {
    t.equal((await ask(path, { headers })).headers.get("x-trace-id"), traceId, path);
    t.match((await ask(path)).headers.get("x-trace-id"), /^[0-9a-f]{32}$/, path);
  }
  const failed = await ask("/nothing", { headers });
  t.strictSame(Object.keys(failed.json()).sort(), ["error", "error_description", "trace_id"]);
  t.equal(failed.json().trace_id, traceId);
});

t.test("a path without this method says which it has", async (t) => {
  t.equal((await ask("/api/v1/passes", { method: "DELETE" })).headers.get("allow"), "POST, GET, HEAD");
  t.equal((await ask("/healthz", { method: "POST", body: "x" })).headers.get("allow"), "GET, HEAD");
  t.equal((await ask("/api/v1/auth/token")).headers.get("allow"), "POST");
});

t.test("HEAD is answered like GET, without the body", async (t) => {
  for (const [path, token] of [
    ["/healthz", undefined],
    ["/.well-known/jwks.json", undefined],
    ["/api/v1/passes", reader],
  ] as const) {
    const call = token === undefined ? {} : { token };
    const [got, headed] = [await ask(path, call), await ask(path, { ...call, method: "HEAD" })];
    t.strictSame([headed.status, headed.text], [got.status, ""], path);
    t.equal(headed.headers.get("content-length"), String(Buffer.byteLength(got.text)), path);
    t.equal(headed.headers.get("content-type"), got.headers.get("content-type"), path);
  }
});

t.test("a body above 64 KiB is 413 invalid_request, and one of 64 KiB is read", async (t) => {
  const bodyOf = (bytes: number): string => `{"a":"${"x".repeat(bytes - 8)}"}`;
  const post = (body: string) =>
    ask("/api/v1/passes", { method: "POST", token: writer, body, headers: json });
  const tooLarge = await post(bodyOf(64 * 1024 + 1));
  t.strictSame([tooLarge.status, tooLarge.json().error], [413, "invalid_request"]);
  t.equal(tooLarge.headers.get("connection"), "close");
  const read = await post(bodyOf(64 * 1024));
  t.equal(read.status, 400);
  t.ok(read.json().details.some(({ path }: { path: string }) => path === "/a"));
});

t.test("violations are told with their places", async (t) => {
  const body = JSON.stringify({
    template_id: "x",
    intent: "loyalty_card",
    external_ref: "a\nb",
    data: { points: 7 },
  });
  const answer = await ask("/api/v1/passes", { method: "POST", token: writer, body, headers: json });
  const places = answer.json().details.map(({ path }: { path: string }) => path);
  t.strictSame(places.sort(), ["/data/points", "/external_ref", "/template_id"]);
  t.ok(
    answer
      .json()
      .details.some(
        ({ path, message }: { path: string; message: string }) =>
          path === "/data/points" && message === "must be string",
      ),
  );
});

t.test("a fault of ours is a 500 that says nothing, and a line in the log that says all", async (t) => {
  const broken = createApiServer({
    ...deps,
    keySet() {
      throw new Error("hunter2 in /srv/app");
    },
  });
  const address = await broken.listen("127.0.0.1", 0);
  t.teardown(() => broken.drain(0));
  lines.length = 0;
  const response = await fetch(`http://127.0.0.1:${address.port}/.well-known/jwks.json`);
  const text = await response.text();
  t.equal(response.status, 500);
  t.notMatch(text, /hunter2|srv/);
  const { error, trace_id } = JSON.parse(text);
  t.equal(error, "internal_error");
  t.match(lines, [
    ["http.failed", { trace_id, err: { message: "hunter2 in /srv/app" } }],
    ["http.request", { status: 500 }],
  ]);
});

t.test("each request is one line, with its pattern and without anything that a caller chose", async (t) => {
  lines.length = 0;
  await ask("/p/secret-token-of-a-page");
  await ask("/api/v1/passes?external_ref=customer", { token: reader });
  t.match(lines, [
    ["http.request", { method: "GET", route: "/p/{token}", status: 404, trace_id: /^[0-9a-f]{32}$/ }],
    ["http.request", { method: "GET", route: "/api/v1/passes", status: 200 }],
  ]);
  t.notMatch(JSON.stringify(lines), new RegExp(`secret-token|customer|${reader.slice(-20)}`));
});

t.test("a missing scope is named, and credentials are asked for", async (t) => {
  const lacking = await ask("/api/v1/passes", { token: writer });
  t.match(lacking.headers.get("www-authenticate"), /^Bearer .*insufficient_scope.*passes:read/);
  t.match((await ask("/api/v1/passes")).headers.get("www-authenticate"), /^Bearer/);
});

t.test("no answer says what it was made with", async (t) => {
  for (const path of ["/healthz", "/nothing", "/p/none"]) {
    const { headers } = await ask(path);
    for (const name of ["server", "x-powered-by", "uwebsockets"]) t.equal(headers.get(name), null);
    t.equal(headers.get("x-content-type-options"), "nosniff");
    t.equal(headers.get("access-control-allow-origin"), null, "CORS is off");
  }
});
