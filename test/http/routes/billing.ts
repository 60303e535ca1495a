import t, { type Test } from "tap";
import type { Package } from "../../../src/domain/billing/catalog.ts";
import { createTenant } from "../../../src/domain/tenants/create.ts";
import { faultyPaths } from "../../e2e/support/requests.ts";
import { call } from "../../sandbox/fixtures/calls.ts";
import { running } from "../../sandbox/fixtures/running.ts";
import { openApi } from "../../support/api.ts";

const sandbox = await running(t);
const settings = {
  PASSWRIGHT_STRIPE_SECRET_KEY: "sk_test_0123456789abcdef",
  PASSWRIGHT_STRIPE_API_URL: sandbox.controlUrl,
};
const [packagesPath, topup, subscribe] = ["packages", "topup", "subscribe"].map(
  (name) => `/api/v1/billing/${name}`,
) as [string, string, string];

const price = { amount: 4900, currency: "EUR" };
const packages: Package[] = ["starter", "growth", "scale"].map((id) => ({
  id,
  name: `The ${id}`,
  credits: 10,
  price,
}));
const plan = { id: "team", name: "Team", monthlyPasses: 50, interval: "month" as const, price };

/** An API with three packages and a plan on sale, paid at the sandbox. */
async function opened(t: Test, wish: Record<string, string> = settings) {
  const api = await openApi(t, { settings: wish });
  await api.catalog.setPackages(packages);
  await api.catalog.setPlans([plan]);
  return api;
}

const api = await opened(t);

async function sessionsOf(tenantId: string) {
  const { json } = await call(`${sandbox.controlUrl}/sandbox/stripe/state?client_reference_id=${tenantId}`);
  return json.sessions;
}

t.test("packages are listed to any token of a tenant, in the operator's order", async (t) => {
  const caller = await api.caller({ scopes: ["templates:read"] });
  const { status, json } = await caller.get(packagesPath);
  t.equal(status, 200);
  t.strictSame(json, { data: packages, total: 3, page: 1, page_size: 20 });
  const second = (await caller.get(`${packagesPath}?page=2&page_size=2`)).json;
  t.strictSame(second, { data: packages.slice(2), total: 3, page: 2, page_size: 2 });
  t.strictSame((await caller.get(`${packagesPath}?page=3&page_size=2`)).json.data, []);
});

t.test("a top-up and a subscription answer the address of a page where they can be paid", async (t) => {
  const caller = await api.caller();
  for (const [path, body, mode] of [
    [topup, { package_id: "growth", success_url: "https://shop.example/ok" }, "payment"],
    [subscribe, { plan_id: "team", cancel_url: "https://shop.example/back" }, "subscription"],
  ] as const) {
    const { status, json, headers } = await caller.post(path, body);
    t.equal(status, 200);
    t.match(headers["content-type"], /^application\/json/);
    t.strictSame(Object.keys(json), ["checkout_url", "session_id", "expires_at"]);
    t.match(json.expires_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
    t.equal((await call(json.checkout_url)).status, 200);
    const session = (await sessionsOf(caller.tenantId)).find(
      ({ id }: { id: string }) => id === json.session_id,
    );
    t.match(session, { mode, metadata: { tenant_id: caller.tenantId } });
  }
});

t.test("who names no address comes back to a page of ours", async (t) => {
  const caller = await api.caller();
  const { json } = await caller.post(topup, { package_id: "starter" });
  const paid = await call(json.checkout_url, { method: "POST" });
  t.equal(paid.headers.location, `${api.baseUrl}/billing/paid`);
  const page = await call(`${api.url}/billing/paid`);
  t.equal(page.status, 200);
  t.match(page.headers["content-type"], /^text\/html/);
  t.match(page.text, "Thank you");
});

t.test("a repeat with the same key is the same answer and the same session", async (t) => {
  const caller = await api.caller();
  const headers = { "idempotency-key": "order-1" };
  const body = { package_id: "starter" };
  const replies = await Promise.all([1, 2, 3].map(() => caller.post(topup, body, headers)));
  const later = await caller.post(topup, body, headers);
  t.equal(new Set([...replies, later].map(({ status, text }) => `${status} ${text}`)).size, 1);
  t.equal(later.headers["idempotent-replayed"], "true");
  t.equal(replies.filter((reply) => reply.headers["idempotent-replayed"] === undefined).length, 1);
  t.equal((await sessionsOf(caller.tenantId)).length, 1);

  const other = await caller.post(topup, { package_id: "growth" }, headers);
  t.match([other.status, other.json.error], [409, "idempotency_key_reused"]);
  t.match(other.headers["content-type"], /^application\/json/, "only 400s are problems");
});

t.test("a failed order is not kept under its key", async (t) => {
  const caller = await api.caller();
  const headers = { "idempotency-key": "order-2" };
  t.equal((await caller.post(topup, { package_id: "none" }, headers)).status, 400);
  t.equal((await caller.post(topup, { package_id: "starter" }, headers)).status, 200);
});

t.test("every 400 is a problem that holds the error object too", async (t) => {
  const caller = await api.caller();
  const long = `https://a.example/${"x".repeat(5000)}`;
  for (const [what, ask, paths] of [
    ["no member", caller.post(topup, {}), ["/package_id"]],
    ["unknown members", caller.post(subscribe, { plan_id: "team", a: 1, b: 2 }), ["/a", "/b"]],
    ["no such package", caller.post(topup, { package_id: "none" }), ["/package_id"]],
    ["no such plan", caller.post(subscribe, { plan_id: "starter" }), ["/plan_id"]],
    ["no id", caller.post(topup, { package_id: "Starter" }), ["/package_id"]],
    [
      "no addresses",
      caller.post(topup, { package_id: "starter", success_url: "x", cancel_url: long }),
      ["/cancel_url", "/success_url"],
    ],
    ["no web address", caller.post(topup, { package_id: "starter", success_url: "x" }), ["/success_url"]],
    ["no object", caller.post(topup, []), [""]],
    ["no page", caller.get(`${packagesPath}?page=0&page_size=101`), ["page", "page_size"]],
    [
      "no key",
      caller.post(topup, { package_id: "starter" }, { "idempotency-key": "a b" }),
      ["Idempotency-Key"],
    ],
  ] as const) {
    const { status, json, headers } = await ask;
    t.equal(status, 400, what);
    t.equal(headers["content-type"], "application/problem+json", what);
    t.strictSame(faultyPaths({ json } as Awaited<typeof ask>), [...paths].sort(), what);
    t.match(json, {
      type: `${api.baseUrl}/docs/problems/invalid_request`,
      title: "Invalid request",
      status: 400,
      detail: json.error_description,
      instance: /^\/api\/v1\/billing\/\w+$/,
      error: "invalid_request",
      trace_id: headers["x-trace-id"] ?? "missing",
    });
  }
  const broken = await caller.ask(topup, {
    method: "POST",
    body: "{",
    headers: { "content-type": "application/json" },
  });
  t.match([broken.status, broken.headers["content-type"]], [400, "application/problem+json"]);
});

t.test("other failures are error objects, in the order of checks", async (t) => {
  const reader = await api.caller({ scopes: ["templates:read"] });
  const forbidden = await reader.post(topup, {});
  t.match([forbidden.status, forbidden.json], [403, { error: "insufficient_scope", type: undefined }]);
  t.match(forbidden.headers["www-authenticate"], /scope="passes:write"/);
  const nobody = await call(`${api.url}${packagesPath}`);
  t.match([nobody.status, nobody.json.error], [401, "invalid_token"]);
  for (const reply of [forbidden, nobody]) t.match(reply.headers["content-type"], /^application\/json/);
  t.equal((await call(`${api.url}${topup}`)).status, 405);

  const billing = { mode: "contract", monthlyCap: 5 } as const;
  const { id: tenantId } = await createTenant(api, { name: "Contract", billing });
  const contract = await (await api.caller({ tenantId })).post(topup, { package_id: "starter" });
  t.match([contract.status, contract.json.error], [409, "invalid_state"]);
});

t.test("a Stripe that is away is 503, and the same key then works", async (t) => {
  const caller = await api.caller();
  const headers = { "idempotency-key": "order-3" };
  const body = { package_id: "starter" };
  const fault = { status: 503, times: 3, headers: { "stripe-should-retry": "false" } };
  await call(`${sandbox.controlUrl}/sandbox/stripe/faults`, { method: "POST", body: fault });
  const away = await caller.post(topup, body, headers);
  t.match([away.status, away.json.error, away.headers["retry-after"]], [503, "unavailable", "5"]);
  await call(`${sandbox.controlUrl}/sandbox/stripe/faults`, { method: "DELETE" });
  t.equal((await caller.post(topup, body, headers)).status, 200);
});

t.test("without a key of Stripe packages are listed, and an order is told why it cannot be", async (t) => {
  const poor = await opened(t, {});
  const caller = await poor.caller();
  t.equal((await caller.get(packagesPath)).json.total, 3);
  const { status, json, headers } = await caller.post(topup, { package_id: "starter" });
  t.match([status, headers["content-type"]], [400, "application/problem+json"]);
  t.match(json, {
    type: `${poor.baseUrl}/docs/problems/payments_not_configured`,
    title: "Payments not configured",
    error: "payments_not_configured",
    detail: /not configured/,
  });
});
