import t from "tap";
import { createRouter } from "../../src/http/router.ts";
import { routes } from "../../src/http/routes.ts";
import { createValidators } from "../../src/http/validation.ts";

/** What the interface and its contract ask of each path below /api/v1. */
const access: Record<string, string> = {
  "POST /auth/token": "public",
  "POST /passes": "passes:write",
  "GET /passes": "passes:read",
  "GET /passes/{id}": "passes:read",
  "PATCH /passes/{id}": "passes:write",
  "DELETE /passes/{id}": "passes:write",
  "PUT /passes/by-external-ref/{externalRef}": "passes:write",
  "PATCH /passes/by-external-ref/{externalRef}": "passes:write",
  "GET /passes/{id}/versions": "passes:read",
  "GET /passes/{id}/messages": "messages:read",
  "POST /batches": "passes:write",
  "GET /batches": "passes:write",
  "GET /batches/{id}": "passes:write",
  "DELETE /batches/{id}": "passes:write",
  "GET /jobs/{id}": "token",
  "POST /messages": "messages:write",
  "GET /messages": "messages:read",
  "GET /messages/{id}": "messages:read",
  "GET /templates": "templates:read",
  "GET /templates/{id}": "templates:read",
  "GET /templates/{id}/versions/latest": "templates:read",
  "GET /templates/{id}/sample": "templates:read",
  "POST /webhooks": "webhooks:write",
  "GET /webhooks": "webhooks:write",
  "GET /webhooks/{id}": "webhooks:write",
  "PATCH /webhooks/{id}": "webhooks:write",
  "DELETE /webhooks/{id}": "webhooks:write",
  "GET /webhooks/{id}/deliveries": "webhooks:write",
  "GET /analytics/events": "analytics:read",
  "GET /analytics/summary": "analytics:read",
  "GET /billing/packages": "token",
  "POST /billing/topup": "passes:write",
  "POST /billing/subscribe": "passes:write",
};

const api = routes.filter(({ path }) => path.startsWith("/api/v1/"));
const nameOf = ({ method, path }: { method: string; path: string }): string =>
  `${method} ${path.replace("/api/v1", "")}`;
/** A path with other names of its parts is the same path. */
const unnamed = (name: string): string => name.replace(/\{[^}]+\}/g, "{}");
const expected = new Map(Object.entries(access).map(([name, scope]) => [unnamed(name), scope]));

t.test("every row of the API is one of the interface, with the access that it asks for", async (t) => {
  for (const route of api) t.equal(route.access, expected.get(unnamed(nameOf(route))), nameOf(route));
  t.ok(api.length > 0);
});

t.test("rows for everybody are those that the interface and its contract name", async (t) => {
  const allowed = [
    /^POST \/auth\/token$/,
    /^GET \/\.well-known\//,
    /^GET \/(healthz|readyz|docs|openapi\.json|robots\.txt)$/,
    /^GET \/docs\//,
    /^GET \/p\/\{/,
    // Pages' files together, for whoever has the addresses of all.
    /^GET \/p\/bundle\.pkpasses$/,
    /^GET \/images\//,
    /^\w+ \/apple\/\{/,
    /^POST \/google\/\{/,
    /^POST \/billing\/stripe\/events$/,
    // Where the payment provider sends a buyer back to.
    /^GET \/billing\/paid$/,
  ];
  const open = routes.filter(({ access }) => access === "public").map(nameOf);
  t.strictSame(
    open.filter((name) => !allowed.some((shape) => shape.test(name))),
    [],
  );
});

t.test("every row has a summary of one line, and no two the same", async (t) => {
  for (const route of routes) t.match(route.summary, /^[A-Z][^\n]{5,99}[^.\n]$/, nameOf(route));
  t.equal(new Set(routes.map(({ summary }) => summary)).size, routes.length);
});

t.test("every row that changes something for a tenant takes an Idempotency-Key, and no other", async (t) => {
  for (const route of api.filter(({ access }) => access !== "public")) {
    t.equal(route.idempotent === true, route.method !== "GET", nameOf(route));
  }
});

t.test("bodies are closed objects that refuse what they do not know, queries are not", async (t) => {
  for (const { body, query, ...route } of routes) {
    // What phones send, Apple decides.
    const additionalProperties = route.tag === "Apple Wallet";
    if (body !== null) t.match(body, { type: "object", additionalProperties }, nameOf(route));
    if (query !== null) t.notOk("additionalProperties" in query, nameOf(route));
    if (route.method === "GET") t.equal(body, null, nameOf(route));
  }
});

t.test("every list takes page and page_size", async (t) => {
  const lists = ["GET /passes", "GET /templates", "GET /webhooks", "GET /messages", "GET /batches"];
  for (const route of api.filter((row) => lists.includes(nameOf(row)))) {
    t.match(
      route.query,
      { properties: { page: { minimum: 1 }, page_size: { minimum: 1, maximum: 100 } } },
      nameOf(route),
    );
  }
});

t.test("the table makes a router, and its schemas compile strictly", async (t) => {
  const router = createRouter(routes);
  const { forBody, forQuery } = createValidators();
  for (const route of routes) {
    const segments = route.path
      .slice(1)
      .split("/")
      .map((part) => (part.startsWith("{") ? "x" : part));
    t.match(router(route.method, segments), { found: true, route: { path: route.path } }, nameOf(route));
    for (const validate of [route.body && forBody(route.body), route.query && forQuery(route.query)]) {
      try {
        validate?.({});
      } catch (error) {
        // Whether an empty object is valid is the schema's affair; that it can be told is ours.
        t.match(error, { code: "invalid_request" }, nameOf(route));
      }
    }
  }
});
