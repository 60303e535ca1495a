import t, { type Test } from "tap";
import { ask } from "../e2e/support/requests.ts";
import { openApi } from "../support/api.ts";

const shop = "https://shop.example.com";
const exposed = [
  "X-Trace-Id",
  "Location",
  "Retry-After",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "Idempotent-Replayed",
];

const list = (text: unknown): string[] => String(text ?? "").split(/\s*,\s*/);

function preflight(origin: string, method = "POST"): Record<string, string> {
  return {
    origin,
    "access-control-request-method": method,
    "access-control-request-headers": "authorization, content-type, idempotency-key",
  };
}

function corsHeaders(headers: object): string[] {
  return Object.keys(headers).filter((name) => name.startsWith("access-control-"));
}

const opened = (t: Test) =>
  openApi(t, { settings: { PASSWRIGHT_CORS_ORIGINS: `${shop}, http://localhost:5173` } });

t.test("unless origins are configured, no answer says anything of CORS", async (t) => {
  const { url } = await openApi(t);
  const simple = await ask(`${url}/.well-known/jwks.json`, { headers: { origin: shop } });
  t.strictSame([simple.status, corsHeaders(simple.headers), simple.headers.vary], [200, [], undefined]);
  const asked = await ask(`${url}/api/v1/passes`, { method: "OPTIONS", headers: preflight(shop) });
  t.strictSame([asked.status, asked.json.error, corsHeaders(asked.headers)], [405, "method_not_allowed", []]);
});

t.test("a preflight of an allowed origin is told the path's methods and our headers", async (t) => {
  const { url } = await opened(t);
  for (const origin of [shop, "http://localhost:5173"]) {
    const reply = await ask(`${url}/api/v1/passes`, { method: "OPTIONS", headers: preflight(origin) });
    t.equal(reply.status, 204);
    t.equal(reply.text, "");
    t.equal(reply.headers["access-control-allow-origin"], origin);
    t.strictSame(list(reply.headers["access-control-allow-methods"]).toSorted(), ["GET", "HEAD", "POST"]);
    const headers = list(reply.headers["access-control-allow-headers"]).map((name) => name.toLowerCase());
    for (const name of ["authorization", "content-type", "idempotency-key"])
      t.ok(headers.includes(name), name);
    t.ok(list(reply.headers.vary).includes("Origin"));
    t.equal(reply.headers["access-control-allow-credentials"], undefined, "tokens are no cookies");
  }
});

t.test("a preflight costs no token request and needs no token", async (t) => {
  const { url } = await opened(t);
  for (let i = 0; i < 15; i++) {
    const reply = await ask(`${url}/api/v1/auth/token`, { method: "OPTIONS", headers: preflight(shop) });
    t.equal(reply.status, 204);
  }
  const body = { grant_type: "client_credentials" };
  const reply = await ask(`${url}/api/v1/auth/token`, { body, headers: { origin: shop } });
  t.equal(reply.status, 400);
  t.equal(reply.headers["ratelimit-remaining"], "9");
});

t.test("answers bear the origin and expose our headers, refusals and failures too", async (t) => {
  const api = await opened(t);
  const caller = await api.caller();
  const replies = [
    await caller.get("/api/v1/passes", { origin: shop }),
    await ask(`${api.url}/api/v1/passes`, { headers: { origin: shop } }),
    await ask(`${api.url}/api/v1/nothing`, { headers: { origin: shop } }),
    await ask(`${api.url}/.well-known/jwks.json`, { headers: { origin: shop } }),
    await caller.post("/api/v1/passes", { data: "x".repeat(70_000) }, { origin: shop }),
  ];
  t.strictSame(
    replies.map(({ status }) => status),
    [200, 401, 404, 200, 413],
  );
  for (const { headers, status } of replies) {
    t.equal(headers["access-control-allow-origin"], shop, String(status));
    t.strictSame(list(headers["access-control-expose-headers"]), exposed, String(status));
    t.ok(list(headers.vary).includes("Origin"), String(status));
  }
});

t.test("other origins get nothing, and caches are told that it matters who asks", async (t) => {
  const { url } = await opened(t);
  const strangers = [
    "https://evil.example.com",
    "http://shop.example.com",
    `${shop}:8443`,
    `${shop}.evil.example`,
    "https://SHOP.example.com",
    "null",
    "*",
  ];
  for (const origin of strangers) {
    const reply = await ask(`${url}/.well-known/jwks.json`, { headers: { origin } });
    t.strictSame([reply.status, corsHeaders(reply.headers), reply.headers.vary], [200, [], "Origin"], origin);
    const asked = await ask(`${url}/api/v1/passes`, { method: "OPTIONS", headers: preflight(origin) });
    t.strictSame([asked.status, corsHeaders(asked.headers)], [405, []], origin);
  }
  const nobody = await ask(`${url}/.well-known/jwks.json`);
  t.strictSame([corsHeaders(nobody.headers), nobody.headers.vary], [[], "Origin"]);
});

t.test("pages, health and the wallets' routes are not for scripts of others", async (t) => {
  const { url } = await opened(t);
  for (const path of ["/healthz", "/p/unknown", "/p/unknown/pass.pkpass", "/images/system/x.png"]) {
    const reply = await ask(`${url}${path}`, { headers: { origin: shop } });
    t.strictSame(corsHeaders(reply.headers), [], path);
    const asked = await ask(`${url}${path}`, { method: "OPTIONS", headers: preflight(shop, "GET") });
    t.not(asked.status, 204, path);
    t.strictSame(corsHeaders(asked.headers), [], path);
  }
});

t.test(
  "an OPTIONS that is no preflight, and one of a path that there is not, are refused as ever",
  async (t) => {
    const { url } = await opened(t);
    const plain = await ask(`${url}/api/v1/passes`, { method: "OPTIONS", headers: { origin: shop } });
    t.equal(plain.status, 405);
    t.match(plain.headers.allow, /POST/);
    const nowhere = await ask(`${url}/api/v1/nothing`, { method: "OPTIONS", headers: preflight(shop) });
    t.equal(nowhere.status, 404);
  },
);
