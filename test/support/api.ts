import { randomBytes } from "node:crypto";
import type { Test } from "tap";
import { openApp, openServing } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { type Scope, scopesOf } from "../../src/domain/applications/application.ts";
import { createApplication } from "../../src/domain/applications/create.ts";
import { createTenant } from "../../src/domain/tenants/create.ts";
import { accessTokenLifetimeSeconds } from "../../src/domain/tokens/token.ts";
import { clientAddressBehind } from "../../src/http/client-address.ts";
import { createImagePath } from "../../src/http/image-address.ts";
import { createHttpMetrics } from "../../src/http/metrics.ts";
import { createApiServer } from "../../src/http/server.ts";
import type { ServingDeps } from "../../src/http/serving.ts";
import { openConnection, whenReady } from "../../src/redis/connection.ts";
import { defineScripts } from "../../src/redis/scripts.ts";
import { type Client, withToken } from "../e2e/support/client.ts";
import { type SettableClock, settableClock } from "./clock.ts";
import { keysOf, type TestStore, testRedisUrl } from "./store.ts";

export type Api = Awaited<ReturnType<typeof openApi>>;

/**
 * The API as `serve` opens it, listening on loopback, on a store of its own. The clock, unless it is given, stands still at
 * the real time until the test moves it. When the test ends, the server is closed and the store's keys are removed.
 */
export async function openApi(
  t: Test,
  options: {
    settings?: Record<string, string>;
    baseUrl?: string;
    clock?: SettableClock;
    /** What makes files in the place of the real one. */
    passFile?: ServingDeps["passFile"];
  } = {},
) {
  const clock = options.clock ?? settableClock(Date.now());
  const config = readConfig({
    env: {
      PASSWRIGHT_REDIS_URL: testRedisUrl(),
      PASSWRIGHT_KEY_PREFIX: `test-${randomBytes(6).toString("hex")}`,
      PASSWRIGHT_MASTER_KEY: randomBytes(32).toString("base64"),
      PASSWRIGHT_LOG_LEVEL: "silent",
      ...options.settings,
    },
  });
  const app = { ...(await openApp(config, { name: "test" })), clock };
  const serving = await openServing(app, options.baseUrl ?? "https://passes.example.com");
  const stopping = new AbortController();
  const server = createApiServer({
    ...serving,
    passFile: options.passFile ?? serving.passFile,
    metrics: createHttpMetrics(),
    imagePath: createImagePath(),
    clientAddress: clientAddressBehind(config.trustedProxies),
    stopping: stopping.signal,
  });
  const { port } = await server.listen("127.0.0.1", 0);
  t.teardown(async () => {
    stopping.abort();
    await server.drain(1000);
    for (const key of await keysOf(app.store)) await app.store.connection.unlink(key);
    await serving.close();
  });
  const url = `http://127.0.0.1:${port}`;

  return {
    ...serving,
    clock,
    store: asTestStore(t, { ...app.store, clock, ids: app.ids, url: config.redisUrl }),
    url,
    /** A caller with a token of a new tenant, or of the given one; with all scopes, or the given ones. */
    async caller(wish: { tenantId?: string; scopes?: readonly Scope[] } = {}): Promise<Client> {
      const billing = { mode: "prepaid", credits: 1000 } as const;
      const tenantId = wish.tenantId ?? (await createTenant(serving, { name: "Example", billing })).id;
      const input = { tenantId, name: "example", type: "backend" };
      const { application } = await createApplication(serving, input);
      const signed = (issuedAt: number): Promise<string> =>
        serving.accessTokens.sign({
          tenantId,
          applicationId: application.id,
          scopes: wish.scopes ?? scopesOf.backend,
          issuedAt,
          expiresAt: issuedAt + accessTokenLifetimeSeconds,
          id: app.ids.uuid(),
        });
      // Signed anew for each request: a test may have moved the clock beyond what a token lives.
      const fresh = async (): Promise<Client> =>
        withToken(url, await signed(Math.floor(clock.nowMs() / 1000)), tenantId);
      const { token } = await fresh();
      return {
        token,
        tenantId,
        ask: async (path, asked) => (await fresh()).ask(path, asked),
        get: async (path, headers) => (await fresh()).get(path, headers),
        post: async (path, body, headers) => (await fresh()).post(path, body, headers),
      };
    },
  };
}

/** The API's own store, for what tests of the store can do: `openIssuer`, `openQueue` and so on. */
function asTestStore(t: Test, parts: Omit<TestStore, "connect" | "another">): TestStore {
  const connect: TestStore["connect"] = (purpose = { blocking: false }) => {
    const connection = openConnection(parts.url, { name: "test", ...purpose });
    t.teardown(() => connection.disconnect());
    return connection;
  };
  return {
    ...parts,
    connect,
    async another() {
      const connection = connect();
      await whenReady(connection, 5000);
      return { connection, keys: parts.keys, run: defineScripts(connection), vault: parts.vault };
    },
  };
}
