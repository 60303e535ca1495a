import t from "tap";
import type { Token } from "../../../clients/typescript/src/index.ts";
import { createTokenCache } from "../../../clients/typescript/src/token-cache.ts";
import { refusal, startService, token } from "./fixtures/service.ts";

const found = { status: 200, body: { id: "a" } };

t.test("a hundred calls at one moment ask for one token, and all use it", async (t) => {
  const service = await startService(t, () => found);
  const { passes } = service.client();
  await Promise.all(Array.from({ length: 100 }, () => passes.get("a")));
  t.equal(service.asked.length, 100);
  t.equal(service.tokenRequests.length, 1);
  t.strictSame([...new Set(service.asked.map(({ headers }) => headers.authorization))], ["Bearer token-1"]);
});

t.test("the token request says who asks, and for what", async (t) => {
  const service = await startService(t, () => found);
  await service.client({ scope: "passes:read" }).passes.get("a");
  const [request] = service.tokenRequests;
  t.strictSame(JSON.parse(request?.body ?? ""), {
    tenant_id: "a-tenant",
    application_id: "an-application",
    application_secret: "a-secret",
    grant_type: "client_credentials",
    scope: "passes:read",
  });
  t.equal(request?.headers.authorization, undefined);
});

t.test("a token that is refused is replaced once, for everybody who holds it", async (t) => {
  const service = await startService(t, ({ headers }) =>
    headers.authorization === "Bearer token-1" ? refusal(401, "invalid_token") : found,
  );
  const { passes } = service.client();
  await Promise.all(Array.from({ length: 20 }, () => passes.get("a")));
  t.equal(service.tokenRequests.length, 2);
  const secondTime = service.asked.filter(({ headers }) => headers.authorization === "Bearer token-2");
  t.equal(secondTime.length, 20);
});

t.test("a second refusal is the caller's to know", async (t) => {
  const service = await startService(t, () => refusal(401, "invalid_token"));
  await t.rejects(service.client().passes.get("a"), { status: 401, code: "invalid_token" });
  t.equal(service.asked.length, 2);
  t.equal(service.tokenRequests.length, 2);
});

t.test("a call keeps its Idempotency-Key when its token is replaced", async (t) => {
  const service = await startService(t, (_, count) => (count === 1 ? refusal(401, "invalid_token") : found));
  await service.client().passes.revoke("a");
  const keys = service.asked.map(({ headers }) => headers["idempotency-key"]);
  t.equal(keys.length, 2);
  t.ok(keys[0]);
  t.equal(keys[0], keys[1]);
});

t.test("a tenant that was suspended gets no new token", async (t) => {
  const service = await startService(t, () => refusal(401, "invalid_client"));
  await t.rejects(service.client().passes.get("a"), { status: 401, code: "invalid_client" });
  t.equal(service.tokenRequests.length, 1);
});

t.test("wrong credentials are said at once, and tried anew by the next call", async (t) => {
  const service = await startService(
    t,
    () => found,
    (count) => (count === 1 ? refusal(401, "invalid_client") : { status: 200, body: token("right") }),
  );
  const { passes } = service.client();
  await t.rejects(passes.get("a"), { status: 401, code: "invalid_client" });
  t.equal(service.asked.length, 0);
  t.strictSame(await passes.get("a"), { id: "a" });
});

t.test("a token request that fails in passing is tried again", async (t) => {
  const service = await startService(
    t,
    () => found,
    (count) => (count < 3 ? refusal(429, "too_many_requests") : { status: 200, body: token("late") }),
  );
  await service.client().passes.get("a");
  t.equal(service.tokenRequests.length, 3);
});

t.test("a secret that is read anew for every token", async (t) => {
  const service = await startService(t, (_, count) => (count === 2 ? refusal(401, "invalid_token") : found));
  const secrets = ["the old one", "the new one"];
  const { passes } = service.client({ applicationSecret: async () => secrets.shift() ?? "" });
  await passes.get("a");
  await passes.get("a");
  t.strictSame(
    service.tokenRequests.map(({ body }) => JSON.parse(body).application_secret),
    ["the old one", "the new one"],
  );
});

t.test("it is renewed a minute before its end", async (t) => {
  let [nowMs, requests] = [0, 0];
  const cache = createTokenCache(
    async () => token(`token-${++requests}`),
    () => nowMs,
  );
  t.equal(await cache.get(), "token-1");
  nowMs = 3_539_999;
  t.equal(await cache.get(), "token-1");
  nowMs = 3_540_000;
  t.equal(await cache.get(), "token-2");
});

t.test("a token that lives for a minute is used for half of that", async (t) => {
  let [nowMs, requests] = [0, 0];
  const cache = createTokenCache(
    async () => token(`token-${++requests}`, 60),
    () => nowMs,
  );
  await cache.get();
  nowMs = 29_999;
  t.equal(await cache.get(), "token-1");
  nowMs = 30_000;
  t.equal(await cache.get(), "token-2");
});

t.test("where the renewal fails, the old token serves to its end, and no longer", async (t) => {
  let [nowMs, requests] = [0, 0];
  const cache = createTokenCache(
    async () => {
      if (++requests > 1) throw new Error("no token today");
      return token("token-1");
    },
    () => nowMs,
  );
  await cache.get();
  nowMs = 3_550_000;
  t.equal(await cache.get(), "token-1");
  nowMs = 3_600_000;
  await t.rejects(cache.get(), { message: "no token today" });
  t.equal(requests, 3);
});

t.test("dropping a token leaves its successor alone", async (t) => {
  let requests = 0;
  const cache = createTokenCache(async () => token(`token-${++requests}`));
  await cache.get();
  cache.drop("token-1");
  await cache.get();
  cache.drop("token-1");
  t.equal(await cache.get(), "token-2");
});

t.test("who gives up waiting for a token does not take it from the others", async (t) => {
  let arrive = (_: Token): void => {};
  const cache = createTokenCache(
    () =>
      new Promise((resolve) => {
        arrive = resolve;
      }),
  );
  const impatient = new AbortController();
  const [one, other] = [cache.get(impatient.signal), cache.get()];
  impatient.abort(new Error("no time"));
  await t.rejects(one, { message: "no time" });
  arrive(token("token-1"));
  t.equal(await other, "token-1");
});
