import t from "tap";
import type { AccessClaims } from "../../src/domain/tokens/token.ts";
import type { HttpRequest } from "../../src/http/exchange.ts";
import { failureReply } from "../../src/http/failure.ts";
import { checked, guarded, type Route } from "../../src/http/route.ts";
import type { ServingDeps } from "../../src/http/serving.ts";
import {
  authenticate,
  authorize,
  readIdempotencyKey,
  readPathIds,
  requireRoute,
} from "../../src/http/steps.ts";
import { applicationId, tenantId } from "../domain/fixtures/examples.ts";
import { refusalOf, violationsOf } from "../domain/fixtures/refusal.ts";
import { undocumented } from "./fixtures/documentation.ts";
import { requestOf } from "./fixtures/request.ts";

const claims: AccessClaims = { tenantId, applicationId, scopes: ["passes:read"], expiresAt: 0 };
const seen: string[] = [];
const deps = {
  accessTokens: {
    async verify(token: string) {
      seen.push(token);
      return claims;
    },
  },
  standing: async () => "good",
} as unknown as ServingDeps;
const bearing = (authorization: string | string[]) =>
  authenticate(requestOf({ headers: { authorization } }), deps);
const challenge = (error: unknown): string | undefined =>
  failureReply(error, "trace").headers?.["WWW-Authenticate"];

t.test("a bearer token is taken from one Authorization header, its scheme in any case", async (t) => {
  for (const header of ["Bearer a.b-c_d~e+f/g==", "bearer a.b-c_d~e+f/g==", "BEARER  a.b-c_d~e+f/g== "]) {
    t.equal(await bearing(header), claims);
    t.equal(seen.pop(), "a.b-c_d~e+f/g==");
  }
});

t.test("anything else is 401 invalid_token, and nothing is verified", async (t) => {
  const wrong = [
    "",
    "Bearer",
    "Bearer ",
    "Basic YTpi",
    "Bearer a b",
    "Bearer a,b",
    "Bearer é",
    "token a.b.c",
    "Bearera.b",
  ];
  for (const header of [...wrong, ["Bearer a.b.c", "Bearer a.b.c"]]) {
    t.match(await refusalOf(() => bearing(header)), { code: "invalid_token" }, String(header));
  }
  t.equal((await refusalOf(() => authenticate(requestOf(), deps))).code, "invalid_token");
  const query = requestOf({ query: "access_token=a.b.c" });
  t.equal((await refusalOf(() => authenticate(query, deps))).code, "invalid_token", "never from the query");
  t.strictSame(seen, []);
});

t.test(
  "who sent no credentials is told how to authenticate, and nothing more (RFC 6750 section 3.1)",
  async (t) => {
    const refusal = await refusalOf(() => authenticate(requestOf(), deps));
    t.match(challenge(refusal), /^Bearer/);
    t.notMatch(challenge(refusal), /error=/);
  },
);

t.test("who sent a token that is no good is told so", async (t) => {
  const verify = async () => {
    throw await refusalOf(() => bearing("Bearer"));
  };
  const failing = { ...deps, accessTokens: { verify } } as unknown as ServingDeps;
  const request = requestOf({ headers: { authorization: "Bearer a.b.c" } });
  t.match(challenge(await refusalOf(() => authenticate(request, failing))), /error="invalid_token"/);
});

t.test("a token whose owner lost its standing is refused", async (t) => {
  const gone = { ...deps, standing: async () => "tenant_suspended" } as unknown as ServingDeps;
  const request = requestOf({ headers: { authorization: "Bearer a.b.c" } });
  t.equal((await refusalOf(() => authenticate(request, gone))).code, "invalid_client");
});

t.test("a scope is needed exactly, and any token will do where none is", async (t) => {
  authorize(claims, "passes:read");
  authorize({ ...claims, scopes: [] }, "token");
  t.match(await refusalOf(() => authorize(claims, "passes:write")), {
    code: "insufficient_scope",
    scope: "passes:write",
  });
});

t.test("an unknown path is not found, and a wrong method is another thing", async (t) => {
  t.equal((await refusalOf(() => requireRoute({ found: false, allow: [] }))).code, "not_found");
  const refusal = await refusalOf(() => requireRoute({ found: false, allow: ["GET", "HEAD"] }));
  t.match(refusal, { code: "method_not_allowed", detail: /GET, HEAD/ });
});

t.test("an id is the same in either case, and what is no UUID names nothing", async (t) => {
  t.strictSame(readPathIds({ id: tenantId }), { id: tenantId });
  t.strictSame(readPathIds({ id: tenantId.toUpperCase(), ref: "As-It-Is" }), {
    id: tenantId,
    ref: "As-It-Is",
  });
  t.strictSame(readPathIds({ ref: "Anything" }), { ref: "Anything" });
  for (const id of ["", "7", `${tenantId}x`, "../x", `{${tenantId}}`, tenantId.replaceAll("-", "")]) {
    t.equal((await refusalOf(() => readPathIds({ id }))).code, "not_found", id);
  }
});

const route: Route = guarded({
  ...undocumented,
  method: "PATCH",
  path: "/api/v1/passes/by-external-ref/{ref}",
  summary: "x",
  access: "passes:write",
  idempotent: true,
  body: checked({ type: "object" }),
  handle: () => ({ status: 202 }),
});
const claimOf = (key: string, request: Partial<HttpRequest> = {}) =>
  readIdempotencyKey(
    { ...requestOf({ path: "/a", headers: { "idempotency-key": key }, body: "{}" }), ...request },
    route,
  );

t.test("a key is 1 to 255 visible ASCII characters, bare or quoted", async (t) => {
  t.ok(claimOf("k"));
  t.ok(claimOf("~".repeat(255)));
  t.strictSame(
    claimOf('"a key?"'.replace(" ", "-")),
    claimOf("a-key?"),
    "quoted as the IETF draft writes it",
  );
  for (const key of ["", '""', "a b", "k".repeat(256), "é", "a\tb", "one, two"]) {
    t.strictSame(
      await violationsOf(() => claimOf(key)),
      ["Idempotency-Key must be 1 to 255 visible ASCII characters"],
      key,
    );
  }
});

t.test("without a key, or on a row that takes none, nothing is claimed", async (t) => {
  t.equal(readIdempotencyKey(requestOf(), route), null);
  const { idempotent: _, ...plain } = route;
  t.equal(readIdempotencyKey(requestOf({ headers: { "idempotency-key": "k" } }), plain), null);
});

t.test("one key on two paths is two claims, also where a part of them holds an encoded slash", async (t) => {
  // The exchange gives no decoded path for these: it would mean two things.
  const of = (ref: string) =>
    claimOf("k", {
      path: "",
      rawPath: `/api/v1/passes/by-external-ref/${encodeURIComponent(ref)}`,
      segments: ["api", "v1", "passes", "by-external-ref", ref],
    });
  t.not(of("a/b")?.scope, of("a/c")?.scope);
  t.equal(of("a/b")?.scope, of("a/b")?.scope);
});
