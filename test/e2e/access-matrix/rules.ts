import type { Test } from "tap";
import { routes } from "../../../src/http/routes.ts";
import { signIn } from "../support/client.ts";
import { createTenant } from "../support/operator.ts";
import { exchangeBytes } from "../support/raw-socket.ts";
import { type Ask, ask, faultyPaths, type Reply } from "../support/requests.ts";
import { traceId } from "../support/shapes.ts";
import { loyaltyCard } from "./estate.ts";
import { askAs, everythingOf, guardedRows, type Row, rows, type Surroundings } from "./surroundings.ts";

// What holds for every request, tried on every operation.

const kibibyte = 1024;
const largest = { "POST /api/v1/batches": 8 * kibibyte * kibibyte } as Readonly<Record<string, number>>;

/** Lists, as the interface and its contract name them. */
const lists = [
  "passes",
  "passes/{id}/versions",
  "passes/{id}/messages",
  "batches",
  "messages",
  "templates",
  "webhooks",
  "webhooks/{id}/deliveries",
  "analytics/events",
  "billing/packages",
].map((noun) => `GET /api/v1/${noun}`);

export async function rulesForAll(t: Test, surroundings: Surroundings) {
  const { service, baseUrl, owner, estate, ownersCredentials } = surroundings;
  const json = { "content-type": "application/json" };
  const before = await everythingOf(surroundings);
  const schemaOf = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  const withBody = guardedRows.filter(({ name }) => schemaOf.get(name)?.body);

  const send = async (t: Test, row: Pick<Row, "method" | "name">, path: string, options: Ask = {}) => {
    const reply = await ask(`${baseUrl}${path}`, {
      method: row.method,
      ...options,
      headers: { authorization: `Bearer ${owner.token}`, ...options.headers },
    });
    t.match(reply.headers["x-trace-id"], traceId, row.name);
    if (typeof reply.json?.error === "string")
      t.equal(reply.json.trace_id, reply.headers["x-trace-id"], row.name);
    return reply;
  };
  const isRefused = (t: Test, reply: Reply, status: number, error: string, what: string): void => {
    t.equal(reply.status, status, `${what}: ${reply.text.slice(0, 200)}`);
    t.match(reply.json, { error, error_description: /\S/, trace_id: traceId }, what);
  };

  t.test("every response bears a trace id: the caller's, where that is valid", async (t) => {
    const given = "4bf92f3577b34da6a3ce929d0e0e4736";
    for (const row of rows.filter(({ method }) => method === "GET")) {
      const headers = { traceparent: `00-${given}-00f067aa0ba902b7-01` };
      const reply = await send(t, row, row.ask(estate).path, { headers });
      t.equal(reply.status, row.status, row.name);
      t.equal(reply.headers["x-trace-id"], given, row.name);
    }
  });

  t.test("HEAD answers wherever GET does, as GET does but for the body", async (t) => {
    for (const row of rows.filter(({ method }) => method === "GET")) {
      const { path } = row.ask(estate);
      const [get, head] = [await send(t, row, path), await send(t, { ...row, method: "HEAD" }, path)];
      t.equal(head.status, get.status, row.name);
      t.equal(head.bytes.length, 0, row.name);
      const names = ["content-type", "cache-control", "etag", "location", "retry-after", "vary"];
      for (const name of names) t.equal(head.headers[name], get.headers[name], `${name} of ${row.name}`);
    }
  });

  t.test(
    "another method is 405 before anything else is looked at, and Allow names those that there are",
    async (t) => {
      for (const [path, ofPath] of Map.groupBy(rows, (row) => row.path)) {
        const methods = ofPath.map(({ method }) => method);
        const allowed = new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : [])]);
        const concrete = ofPath[0]?.ask(estate).path.split("?")[0] ?? path;
        for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"]) {
          if (allowed.has(method)) continue;
          const reply = await ask(`${baseUrl}${concrete}`, { method });
          isRefused(t, reply, 405, "method_not_allowed", `${method} ${path}`);
          t.strictSame(new Set(reply.headers.allow?.split(/,\s*/)), allowed, `${method} ${path}`);
        }
      }
    },
  );

  t.test("each fault hides those that are checked after it", async (t) => {
    const faultyBody = { body: "{", headers: { "content-type": "text/plain" } };
    for (const row of guardedRows) {
      const path = row.path.replace("{id}", "nope").replace("{externalRef}", "nope");
      const faulty = row.method === "GET" ? `${path}?page=0&wait=99&from=x` : path;
      const fault: Ask = row.method === "GET" ? {} : faultyBody;
      const asNobody = await ask(`${baseUrl}${faulty}`, { method: row.method, ...fault });
      isRefused(t, asNobody, 401, "invalid_token", `token first: ${row.name}`);
      if (path.includes("nope") && row.path.includes("{id}")) {
        isRefused(t, await send(t, row, faulty, fault), 404, "not_found", `id before body: ${row.name}`);
      }
    }
    const narrow = await signIn(baseUrl, ownersCredentials, "templates:write");
    for (const row of guardedRows.filter(({ needs }) => needs !== "token")) {
      const path = row.path.replace(/\{\w+\}/, "nope");
      const authorization = `Bearer ${narrow.token}`;
      const options: Ask = row.method === "GET" ? {} : faultyBody;
      const reply = await send(t, row, path, { ...options, headers: { ...options.headers, authorization } });
      isRefused(t, reply, 403, "insufficient_scope", `scope before id and body: ${row.name}`);
    }
  });

  for (const row of withBody) {
    const schema = schemaOf.get(row.name)?.body as { required?: string[] };
    const { path, body } = row.ask(estate);
    const text = JSON.stringify(body);

    t.test(`${row.name}: the body`, async (t) => {
      const sent = (payload: string, headers: Record<string, string> = json) =>
        send(t, row, path, { body: payload, headers });
      isRefused(t, await sent(text, { "content-type": "text/plain" }), 400, "invalid_request", "media type");
      isRefused(t, await sent(text, {}), 400, "invalid_request", "no media type");
      for (const wrong of ["", "{", "[]", "null", `[${text}]`, `${text}x`]) {
        isRefused(t, await sent(wrong), 400, "invalid_request", wrong.slice(0, 20));
      }
      const hidden = [
        text.replace("{", '{"__proto__":{},'),
        text.replace("{", '{"a":[[{"b":{"__pro\\u0074o__":1}}]],'),
      ];
      for (const wrong of hidden) isRefused(t, await sent(wrong), 400, "invalid_request", wrong.slice(0, 40));
      const unknown = await sent(text.replace("{", '{"nobody_knows":1,"constructor":2,'));
      isRefused(t, unknown, 400, "invalid_request", "unknown members");
      t.strictSame(faultyPaths(unknown), ["/constructor", "/nobody_knows"]);
      const { required = [] } = schema;
      if (required.length > 0) {
        const empty = await sent("{}");
        isRefused(t, empty, 400, "invalid_request", "an empty object");
        // Where one of two members must be there, that is said of the body as a whole.
        const missing = faultyPaths(empty).filter((faulty) => faulty !== "");
        t.strictSame(missing, required.map((name) => `/${name}`).sort(), "all that is missing");
      }
      const limit = largest[row.name] ?? 64 * kibibyte;
      const head = [
        `${row.method} ${path} HTTP/1.1`,
        "Host: localhost",
        `Authorization: Bearer ${owner.token}`,
        "Content-Type: application/json",
        `Content-Length: ${limit + 1}`,
      ];
      const answer = await exchangeBytes(baseUrl, `${head.join("\r\n")}\r\n\r\n{`);
      t.match(answer, /^HTTP\/1\.1 413 /, "a byte too many, before it was sent");
      t.match(answer, '"error":"invalid_request"');
    });
  }

  t.test("every list is paged alike, and says what is wrong with both parameters at once", async (t) => {
    for (const name of lists) {
      const row = guardedRows.find((candidate) => candidate.name === name);
      if (row === undefined) throw new Error(`there is no ${name}`);
      const path = row.ask(estate).path.split("?")[0] ?? "";
      const usual = await send(t, row, `${path}?colour=blue&Page=0`);
      t.equal(usual.status, 200, `${name}: ${usual.text}`);
      t.strictSame(Object.keys(usual.json), ["data", "total", "page", "page_size"], name);
      t.match(usual.json, { page: 1, page_size: 20 }, name);
      for (const wrong of ["0", "-1", "1.5", "", "abc", "1e1", "+1"]) {
        const query = new URLSearchParams({ page: wrong, page_size: wrong });
        const reply = await send(t, row, `${path}?${query}`);
        isRefused(t, reply, 400, "invalid_request", `${name} page ${wrong}`);
        t.strictSame(faultyPaths(reply), ["page", "page_size"], `${name} page ${wrong}`);
      }
      t.equal((await send(t, row, `${path}?page_size=101`)).status, 400, name);
      const beyond = await send(t, row, `${path}?page=1000000&page_size=100`);
      t.match(beyond.json, { data: [], total: usual.json.total, page: 1_000_000, page_size: 100 }, name);
    }
    const paged = routes.filter(({ query }) => JSON.stringify(query ?? {}).includes('"page_size"'));
    t.strictSame(paged.map(({ method, path }) => `${method} ${path}`).sort(), lists.toSorted());
  });

  t.test("an unknown value of a known filter is refused, by its name", async (t) => {
    for (const row of guardedRows) {
      const query = schemaOf.get(row.name)?.query as { properties?: Record<string, object> } | null;
      const path = row.ask(estate).path.split("?")[0] ?? "";
      for (const [name, parameter] of Object.entries(query?.properties ?? {})) {
        if (!("enum" in parameter || "format" in parameter)) continue;
        const reply = await send(t, row, `${path}?${name}=nope`);
        isRefused(t, reply, 400, "invalid_request", `${row.name} ${name}`);
        t.strictSame(faultyPaths(reply), [name], row.name);
      }
    }
  });

  t.test("beyond ten active batches it is 429, with the limit and when to come again", async (t) => {
    const collector = await signIn(baseUrl, await createTenant(service, { name: "Collector", wallets: [] }));
    const one = () => {
      const pass = loyaltyCard(surroundings.systemTemplate);
      return collector.post("/api/v1/batches", { operations: [{ type: "create", pass }] });
    };
    for (let active = 0; active < 10; active++) t.equal((await one()).status, 202);
    const refused = await one();
    isRefused(t, refused, 429, "too_many_batches", "the eleventh");
    t.match(refused.headers["retry-after"], /^[1-9]\d*$/);
    t.equal(refused.headers["ratelimit-limit"], "10");
    t.equal(refused.headers["ratelimit-remaining"], "0");
    t.equal(refused.headers["ratelimit-reset"], refused.headers["retry-after"]);
  });

  t.test("nothing of all this has changed anything, but that the pass's page was looked at", async (t) => {
    t.strictSame(withoutHistory(await everythingOf(surroundings)), withoutHistory(before));
  });
}

function withoutHistory(reads: Record<string, string>): [string, string][] {
  return Object.entries(reads).filter(([path]) => !path.startsWith("/api/v1/analytics/"));
}

/** With Redis silent there is an answer nevertheless, and soon. */
export async function withoutRedis(t: Test, surroundings: Surroundings) {
  const { baseUrl, owner, estate, redis } = surroundings;
  /** What is promised is a second, in which Redis may yet answer; the rest is the machine's. */
  const longestMs = 3000;

  t.test("what needs Redis is 503 within a second, and what does not is answered", async (t) => {
    redis.hold();
    try {
      const replies = await Promise.all(
        rows.map(async (row) => {
          const startedAt = performance.now();
          const reply = await askAs(baseUrl, owner, row, row.ask(estate));
          return { row, reply, ms: performance.now() - startedAt };
        }),
      );
      for (const { row, reply, ms } of replies) {
        t.ok(ms < longestMs, `${row.name} after ${Math.round(ms)} ms`);
        if (inMemory.has(row.name)) {
          t.equal(reply.status, 200, row.name);
          continue;
        }
        // What was read a moment ago is still remembered.
        if (row.name.startsWith("GET /api/v1/templates/{id}") && reply.status === 200) continue;
        t.equal(reply.status, 503, `${row.name}: ${reply.text.slice(0, 100)}`);
        t.match(reply.headers["retry-after"], /^[1-9]\d*$/, row.name);
        if (row.name !== "GET /readyz") t.match(reply.json, { error: "unavailable" }, row.name);
      }
    } finally {
      redis.release();
    }
  });
}

const inMemory = new Set([
  "GET /.well-known/jwks.json",
  "GET /.well-known/oauth-authorization-server",
  "GET /billing/paid",
  "GET /openapi.json",
  "GET /docs",
  "GET /docs/{file}",
  "GET /docs/guides",
  "GET /docs/guides/{name}",
  "GET /docs/problems",
  "GET /docs/problems/{code}",
  "GET /healthz",
  "GET /robots.txt",
]);
