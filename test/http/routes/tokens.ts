import { randomBytes } from "node:crypto";
import t from "tap";
import { newSecret } from "../../../src/domain/applications/secret.ts";
import { PasswrightError } from "../../../src/domain/errors.ts";
import { clientAddressBehind } from "../../../src/http/client-address.ts";
import type { Reply, Route } from "../../../src/http/route.ts";
import { tokenRoutes } from "../../../src/http/routes/tokens.ts";
import type { HandlerDeps } from "../../../src/http/serving.ts";
import { applicationId, tenantId } from "../../domain/fixtures/examples.ts";
import { readableLog } from "../../support/log.ts";
import { requestOf } from "../fixtures/request.ts";

const pepper = randomBytes(32);
const credentials = {
  tenant_id: tenantId,
  application_id: applicationId,
  application_secret: newSecret(pepper),
};
const right = { ...credentials, grant_type: "client_credentials" };
const [tokenRoute] = tokenRoutes as [Route];

type World = { limit?: "free" | "full" | "away"; hash?: "no match" | "too many" };

/** Asks for a token in a world without Redis, and tells what was done for it, in order. */
async function ask(body: unknown, { limit = "free", hash = "no match" }: World = {}) {
  const done: string[] = [];
  const deps = {
    clock: { nowMs: () => 0 },
    clientAddress: clientAddressBehind([]),
    tokenRateLimiter: {
      async take(address: string) {
        done.push(`counted ${address}`);
        if (limit === "away") throw new PasswrightError("unavailable", "The store is away.");
        const allowed = limit === "free";
        return { allowed, limit: 10, remaining: allowed ? 9 : 0, resetSeconds: 42 };
      },
    },
    applications: {
      async find() {
        done.push("looked up");
        return null;
      },
    },
    hasher: {
      async verify() {
        done.push("hashed");
        if (hash === "too many") {
          throw new PasswrightError("unavailable", "Too many at once.", { retryAfterSeconds: 2 });
        }
        return false;
      },
    },
    peppers: [pepper],
    log: readableLog(),
  } as unknown as HandlerDeps;
  const http = requestOf({
    method: "POST",
    remoteAddress: "2001:db8:1:2:3:4:5:6",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const call = { http, params: {}, body: undefined, query: undefined, traceId: "0", idempotency: null };
  const reply: Reply = await tokenRoute.handle({ ...call, claims: undefined as never }, deps);
  return { done, reply };
}

const counted = "counted 2001:db8:1:2::/64";

t.test("a request is counted before anything of it is looked at, and hashed last", async (t) => {
  t.strictSame((await ask(right)).done, [counted, "looked up", "hashed"]);
});

t.test("what cannot be read counts, too, and costs no hash", async (t) => {
  for (const body of [
    "{",
    {},
    { ...right, grant_type: "password" },
    { ...right, application_secret: "garbage" },
  ]) {
    t.strictSame((await ask(body)).done, [counted]);
  }
});

t.test("beyond the limit nothing is looked up or hashed, and it is said when to come back", async (t) => {
  const { done, reply } = await ask(right, { limit: "full" });
  t.strictSame(done, [counted]);
  t.match(reply, {
    status: 429,
    body: { error: "too_many_requests" },
    headers: {
      "Retry-After": "42",
      "RateLimit-Limit": "10",
      "RateLimit-Remaining": "0",
      "RateLimit-Reset": "42",
      "Cache-Control": "no-store",
    },
  });
});

t.test("where too many are hashed already, it is 503, to be asked again shortly", async (t) => {
  const { reply } = await ask(right, { hash: "too many" });
  t.match(reply, {
    status: 503,
    body: { error: "unavailable" },
    headers: { "Retry-After": "2", "Cache-Control": "no-store", "RateLimit-Remaining": "9" },
  });
});

t.test("where nobody can count, nothing is looked up or hashed", async (t) => {
  const { done, reply } = await ask(right, { limit: "away" });
  t.strictSame(done, [counted]);
  t.match(reply, { status: 503, headers: { "Retry-After": "1", "Cache-Control": "no-store" } });
});
