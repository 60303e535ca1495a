import t, { type Test } from "tap";
import { createAccessTokens } from "../../../src/providers/google/access-token.ts";
import { createHttpClient } from "../../../src/providers/google/http-client.ts";
import { until } from "../../support/until.ts";
import { startGoogleServer } from "./fixtures/google-server.ts";
import { clientEmail, credentialsFor } from "./fixtures/service-account.ts";

const never = new AbortController().signal;

async function start(t: Test) {
  const google = await startGoogleServer();
  const clock = { now: Date.now(), nowMs: () => clock.now };
  const http = createHttpClient({ clock });
  t.teardown(async () => {
    await http.close();
    await google.close();
  });
  return {
    google,
    clock,
    tokens: createAccessTokens({ clock, http }),
    credentials: credentialsFor(google.url),
  };
}

t.test("a token is asked for once by all who need it at the same moment, and then held", async (t) => {
  const { google, tokens, credentials } = await start(t);
  const asked = await Promise.all([1, 2, 3].map(() => tokens.get(credentials, never)));
  t.strictSame(asked, ["token-1", "token-1", "token-1"]);
  t.equal(await tokens.get({ ...credentials }, never), "token-1");
  t.strictSame(google.calls, ["POST /token"]);
});

t.test("it is renewed before it ends, once, and nobody waits for that", async (t) => {
  const { google, clock, tokens, credentials } = await start(t);
  await tokens.get(credentials, never);
  clock.now += (3599 - 301) * 1000;
  t.equal(await tokens.get(credentials, never), "token-1", "five minutes and a second before its end");
  clock.now += 1000;
  const goOn = Promise.withResolvers<void>();
  const body = { access_token: "token-2", expires_in: 3599 };
  const asked = google.meet("POST /token", { status: 200, body, after: goOn.promise });
  const meanwhile = [1, 2].map(() => tokens.get(credentials, never));
  t.strictSame(await Promise.all(meanwhile), ["token-1", "token-1"]);
  await asked;
  t.equal(await tokens.get(credentials, never), "token-1");
  goOn.resolve();
  await until("it is renewed", async () => (await tokens.get(credentials, never)) === "token-2");
  t.equal(google.calls.length, 2);
});

t.test("a token that lives for a minute is held for most of it", async (t) => {
  const { google, clock, tokens, credentials } = await start(t);
  google.expiresIn = 60;
  await tokens.get(credentials, never);
  clock.now += 47_000;
  t.equal(await tokens.get(credentials, never), "token-1");
  t.equal(google.calls.length, 1);
  clock.now += 4_000;
  t.equal(await tokens.get(credentials, never), "token-2", "it may end on its way");
});

t.test(
  "while the endpoint is down, the old token serves to its end, and it is asked now and then",
  async (t) => {
    const { google, clock, tokens, credentials } = await start(t);
    await tokens.get(credentials, never);
    clock.now += 3400_000;
    const failed = google.meet("POST /token", { status: 503 });
    t.equal(await tokens.get(credentials, never), "token-1");
    await failed;
    await until("the failure is known", async () => {
      const before = google.calls.length;
      await tokens.get(credentials, never);
      return google.calls.length === before;
    });
    t.equal(google.calls.length, 2, "and nobody else asks for the next seconds");
    clock.now += 195_000;
    google.meet("POST /token", { status: 503 });
    await t.rejects(tokens.get(credentials, never), { code: "provider_unavailable" });
  },
);

t.test("another key of the same account gets its own token", async (t) => {
  const { google, tokens, credentials } = await start(t);
  await tokens.get(credentials, never);
  const other = { ...credentials, privateKey: `${credentials.privateKey}\n` };
  t.equal(await tokens.get(other, never), "token-2");
  t.equal(google.calls.length, 2);
});

t.test("a dropped token is not used again, and dropping it twice costs no second renewal", async (t) => {
  const { google, tokens, credentials } = await start(t);
  const old = await tokens.get(credentials, never);
  tokens.drop(credentials, old);
  t.equal(await tokens.get(credentials, never), "token-2");
  tokens.drop(credentials, old);
  t.equal(await tokens.get(credentials, never), "token-2");
  t.equal(google.calls.length, 2);
});

t.test("a refused grant is said with Google's reason, and tried again when asked again", async (t) => {
  const { google, tokens, credentials } = await start(t);
  const body = { error: "invalid_grant", error_description: "Invalid JWT Signature." };
  for (const status of [400, 401, 403]) {
    google.meet("POST /token", { status, body });
    await t.rejects(tokens.get(credentials, never), {
      code: "provider_credentials_invalid",
      detail: `Google refuses the key of the service account ${clientEmail}: Invalid JWT Signature. (invalid_grant). It was revoked, or is another account's.`,
    });
  }
  t.equal(await tokens.get(credentials, never), "token-4");
});

t.test("an endpoint that is busy, broken, absent or talks nonsense is worth another try", async (t) => {
  const { google, tokens, credentials } = await start(t);
  google.meet("POST /token", { status: 429, headers: { "retry-after": "7" } });
  await t.rejects(tokens.get(credentials, never), { code: "provider_rate_limited", retryAfterSeconds: 7 });
  google.meet("POST /token", { status: 500 });
  await t.rejects(tokens.get(credentials, never), { code: "provider_unavailable" });
  google.meet("POST /token", { status: 200, body: "<html>" });
  await t.rejects(tokens.get(credentials, never), {
    code: "provider_unavailable",
    detail: /without an access token/,
  });
  google.meet("POST /token", { status: 200, body: { access_token: "x" } });
  await t.rejects(tokens.get(credentials, never), { code: "provider_unavailable" });
  google.meet("POST /token", "hang up");
  await t.rejects(tokens.get(credentials, never), { code: "provider_unavailable" });
  const nowhere = { ...credentials, tokenUrl: "http://127.0.0.1:1/token" };
  await t.rejects(tokens.get(nowhere, never), {
    code: "provider_unavailable",
    detail: "Google's token endpoint at 127.0.0.1:1 could not be reached (ECONNREFUSED)",
  });
});
