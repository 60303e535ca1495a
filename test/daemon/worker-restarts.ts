import t from "tap";
import { openIssuer, passOf } from "../support/issuer.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { openStore } from "../support/store.ts";
import { until } from "../support/until.ts";
import { completed, settle } from "../support/work.ts";
import { employ } from "../support/worker.ts";

const durable = { appendonly: "yes", appendfsync: "always" };

t.test("workers outlive a Redis that crashes under them, and lose nothing that was accepted", async (t) => {
  const server = await startRedisServer(t, durable);
  const store = await openStore(t, { url: server.url });
  const issuer = await openIssuer(store);
  const accepted = new Set<string>();
  const create = async (): Promise<void> => {
    const pass = await issuer.create().catch(() => null);
    if (pass !== null) accepted.add(passOf(pass).id);
  };
  const workers = await Promise.all(
    [1, 2].map(() =>
      employ(t, store, {
        leaseMs: 300,
        handlers: { job: async (task) => ({ settled: await settle(store, task, completed) }) },
      }),
    ),
  );
  const attempted = (): number => workers.reduce((sum, { log }) => sum + log.of("job.attempted").length, 0);
  for (let crash = 0; crash < 2; crash++) {
    const before = attempted();
    const pouring = Promise.all(Array.from({ length: 100 }, create));
    await until("some work is done", () => attempted() > before + 10);
    await server.crash();
    await pouring;
    await server.start();
    await until("passes are accepted again", async () => {
      const known = accepted.size;
      await create();
      return accepted.size > known;
    });
  }
  // One by one: passes whose acceptance was not told in time are active, too, and would be counted for others.
  for (const id of accepted) {
    await until("every accepted pass is active", async () => {
      return (await issuer.passes.find(issuer.tenantId, id))?.status === "active";
    });
  }
  t.ok(accepted.size > 2);
  await Promise.all(workers.map((worker) => worker.stop(1000)));
});

t.test("a worker notices that Redis hung, and goes on when it answers again", async (t) => {
  const server = await startRedisServer(t, durable);
  const store = await openStore(t, { url: server.url });
  const issuer = await openIssuer(store, { wallets: ["apple"] });
  const worker = await employ(t, store, {
    leaseMs: 1000,
    handlers: { job: async (task) => ({ settled: await settle(store, task, completed) }) },
  });
  server.signal("SIGSTOP");
  await until("a loop has failed", () => worker.log.of("loop.failed").length > 0);
  server.signal("SIGCONT");
  await until("the loops have recovered", () => worker.log.of("loop.recovered").length > 0);
  const { id } = passOf(await until("a pass is accepted", () => issuer.create()));
  await until(
    "it is active",
    async () => (await issuer.passes.find(issuer.tenantId, id))?.status === "active",
  );
  await worker.stop(1000);
  t.pass("without a restart");
});

t.test("a worker stops in time while Redis is gone", async (t) => {
  const server = await startRedisServer(t);
  const store = await openStore(t, { url: server.url });
  const worker = await employ(t, store, { handlers: {} });
  await server.crash();
  await until("a loop has failed", () => worker.log.of("loop.failed").length > 0);
  await worker.stop(1000);
  t.pass("it does not wait for Redis");
});
