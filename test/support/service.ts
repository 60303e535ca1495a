import { randomBytes } from "node:crypto";
import type { Test } from "tap";
import { openApp, openServing, openWorking } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { startWorker } from "../../src/daemon/worker.ts";
import { scopesOf } from "../../src/domain/applications/application.ts";
import { createApplication } from "../../src/domain/applications/create.ts";
import { carryOutJob } from "../../src/domain/jobs/carry-out.ts";
import type { Providers } from "../../src/domain/passes/carry-out.ts";
import { exceptOfGoneTenants } from "../../src/domain/tenants/gone-work.ts";
import { accessTokenLifetimeSeconds } from "../../src/domain/tokens/token.ts";
import { deliverWebhook } from "../../src/domain/webhooks/deliver.ts";
import { clientAddressBehind } from "../../src/http/client-address.ts";
import { createImagePath } from "../../src/http/image-address.ts";
import { createHttpMetrics } from "../../src/http/metrics.ts";
import { createApiServer } from "../../src/http/server.ts";
import { keysOf, testRedisUrl } from "./store.ts";

export type Service = Awaited<ReturnType<typeof openService>>;

/**
 * The API and workers, in this process and as `serve` and `worker` open them, on a store of their own and on wallets of
 * the test's. Their clock goes on from an instant in the middle of a month. All of it ends with the test.
 */
export async function openService(
  t: Test,
  given: { providers: Providers; workers?: number; settings?: Record<string, string> },
) {
  const startMs = Date.parse("2026-11-15T12:00:00.000Z");
  const startedAt = performance.now();
  const clock = { nowMs: () => startMs + Math.floor(performance.now() - startedAt) };
  const config = readConfig({
    env: {
      PASSWRIGHT_REDIS_URL: testRedisUrl(),
      PASSWRIGHT_KEY_PREFIX: `test-${randomBytes(6).toString("hex")}`,
      PASSWRIGHT_MASTER_KEY: randomBytes(32).toString("base64"),
      PASSWRIGHT_LOG_LEVEL: "silent",
      ...given.settings,
    },
  });
  const open = async () => {
    const app = await openApp(config, { name: "test" });
    // How soon an outage is told is no matter here; a busy machine must not look like one.
    Object.assign(app.store.connection.options, { commandTimeout: 20_000, socketTimeout: 20_000 });
    return { ...app, clock };
  };
  const app = await open();
  const serving = await openServing(app, "https://passes.example.com");
  const stopping = new AbortController();
  const server = createApiServer({
    ...serving,
    metrics: createHttpMetrics(),
    imagePath: createImagePath(),
    clientAddress: clientAddressBehind(config.trustedProxies),
    stopping: stopping.signal,
  });
  const { port } = await server.listen("127.0.0.1", 0);
  const employ = async () => {
    const working = { ...(await openWorking(await open(), serving.baseUrl)), providers: given.providers };
    const worker = startWorker({
      ...working,
      concurrency: config.workerConcurrency,
      leaseMs: config.jobLeaseMs,
      handlers: {
        job: exceptOfGoneTenants(working, (task, signal) => carryOutJob(working, task, signal)),
        delivery: exceptOfGoneTenants(working, (task, signal) => deliverWebhook(working, task, signal)),
      },
    });
    return { queue: working.queue, stop: () => worker.stop(5000).then(() => working.close()) };
  };
  const workers = await Promise.all(Array.from({ length: given.workers ?? 1 }, employ));
  t.teardown(async () => {
    stopping.abort();
    await server.drain(1000);
    await Promise.all(workers.map(({ stop }) => stop()));
    for (const key of await keysOf(app.store)) await app.store.connection.unlink(key);
    await serving.close();
  });

  return {
    ...serving,
    clock,
    url: `http://127.0.0.1:${port}`,
    queues: workers.map(({ queue }) => queue),
    partitions: app.store.keys.allPartitions,
    /** For `openIssuer`: what it needs of a store. */
    issuing: { ...app.store, clock, ids: app.ids },
    /** A token of the tenant's with all scopes, good for an hour. */
    async tokenOf(tenantId: string): Promise<string> {
      const input = { tenantId, name: "example", type: "backend" };
      const { application } = await createApplication(serving, input);
      const issuedAt = Math.floor(clock.nowMs() / 1000);
      return serving.accessTokens.sign({
        tenantId,
        applicationId: application.id,
        scopes: scopesOf.backend,
        issuedAt,
        expiresAt: issuedAt + accessTokenLifetimeSeconds,
        id: app.ids.uuid(),
      });
    },
  };
}
