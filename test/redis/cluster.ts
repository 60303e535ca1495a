import { Redis } from "ioredis";
import t from "tap";
import { workClasses } from "../../src/domain/jobs/work.ts";
import { deleteTenant } from "../../src/domain/tenants/remove.ts";
import { createBell } from "../../src/redis/bell.ts";
import { createDeliveryStore } from "../../src/redis/deliveries.ts";
import { openInstallation } from "../../src/redis/installation.ts";
import { createJobStore } from "../../src/redis/jobs.ts";
import { createTenantRemoval } from "../../src/redis/tenant-removal.ts";
import { disagreements } from "../support/agreement.ts";
import { backedUp, emptyBeside, restored } from "../support/backups.ts";
import { openDeadLetters } from "../support/dead-letters.ts";
import { openIssuer, passOf } from "../support/issuer.ts";
import { keySpace } from "../support/key-space.ts";
import { openOutbox } from "../support/outbox.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { openReplays } from "../support/replays.ts";
import { openStore } from "../support/store.ts";
import { until } from "../support/until.ts";
import { openSubscriber } from "../support/webhooks.ts";
import { claimOf, completed, openQueue, settle } from "../support/work.ts";

/**
 * A cluster of one node: it owns all slots, and refuses every command and script whose keys are in several, as any
 * cluster does.
 */
const server = await startRedisServer(t, {
  "cluster-enabled": "yes",
  "cluster-announce-ip": "127.0.0.1",
});
const admin = new Redis(server.url);
t.teardown(() => admin.disconnect());
await admin.call("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
await until("the cluster is up", async () => /cluster_state:ok/.test(String(await admin.cluster("INFO"))));
const store = await openStore(t, { url: `redis+cluster://127.0.0.1:${server.port}`, partitions: 16 });

t.test("a pass is accepted, worked on and settled, each in one slot", async (t) => {
  t.equal((await openInstallation(store.connection, store.keys.prefix)).partitions, 16);
  const issuer = await openIssuer(store);
  await issuer.subscribe("pass.created");
  const { id, job_id: jobId } = passOf(await issuer.create());
  const queue = await openQueue(store);
  const everywhere = store.keys.allPartitions;

  const jobs = createJobStore(store, () => store.connect({ blocking: true }));
  const finished = jobs.awaitFinish(issuer.tenantId, jobId, 20_000, new AbortController().signal);
  const tasks = await queue.claim(everywhere, 10);
  t.strictSame(await queue.renew(tasks), []);
  const [first, ...rest] = tasks;
  if (first === undefined) throw new Error("there is no work");
  await queue.retryLater(first, { code: "provider_unavailable", description: "away" }, 1);
  await queue.handBack(rest);
  t.equal((await queue.promoteDue(1)).promoted, 1);
  t.equal(await queue.reclaimLost(), 0);
  for (const task of await queue.claim(everywhere, 10)) t.ok(await settle(store, task, completed));
  t.match(await finished, { status: "completed" });
  t.match(await issuer.passes.find(issuer.tenantId, id), { status: "active" });
  t.equal((await issuer.passes.list(issuer.tenantId, {}, { page: 1, pageSize: 10 })).total, 1);
  t.equal((await issuer.tenants.list({ page: 1, pageSize: 10 })).total, 1);

  t.equal(await openOutbox(store).fanOut(10), 1);
  const [delivery] = await claimOf(queue, issuer);
  if (delivery === undefined) throw new Error("there is no delivery");
  const attempt = { number: 1, atMs: 0, statusCode: 200, durationMs: 1, error: null };
  t.ok(await createDeliveryStore(store).settle(delivery, attempt, { delivered: true }));
});

t.test("a bell hears of work in all partitions, though these are in different slots", async (t) => {
  const { keys } = store;
  const streams = keys.allPartitions.flatMap((partition) =>
    workClasses.map((workClass) => keys.bell(partition, workClass)),
  );
  const bell = createBell({
    open: () => store.connect({ blocking: true }),
    streams,
    startAtMs: Date.now() - 1,
  });
  t.teardown(() => bell.close());
  const issuer = await openIssuer(store, { wallets: ["apple"] });
  await issuer.create();
  const rung = await until("the bell rings", () => bell.wait(5000), 3000).catch((error: Error) =>
    String(error.cause),
  );
  t.strictSame(rung, [keys.bell(issuer.partition, "interactive")]);
});

t.test("dead letters are replayed by a task, each step of which is in one slot", async (t) => {
  const dead = openDeadLetters(store);
  const subscriber = openSubscriber(store);
  await subscriber.subscribe();
  await dead.killDelivery(subscriber);
  await dead.killJob(store.ids.uuid());
  const replays = openReplays(store);
  const held = await replays.start({ ids: (await dead.list()).map(({ id }) => id) });
  t.equal(await replays.replayTasks.renew(held), true);
  t.equal(await replays.drive(held), "finished");
  t.match((await replays.look(held.task.id))?.count, { replayed: 1, overtaken: 1 });
  await dead.killJob(store.ids.uuid());
  t.match(await replays.cancel((await replays.start()).task.id), { status: "cancelled" });
  t.equal((await replays.said()).length, 5);
});

t.test("a tenant is deleted from all nodes, and nothing of it is left", async (t) => {
  const issuer = await openIssuer(store);
  const { tenantId } = issuer;
  await issuer.create();
  const deps = { ...issuer, tenantRemoval: createTenantRemoval(store), untilKnown: async () => {} };
  await deleteTenant(deps, tenantId);
  const left = Object.entries(await keySpace(store)).filter((entry) =>
    JSON.stringify(entry).includes(tenantId),
  );
  t.strictSame(left, []);
});

t.test("a tenant is copied from the node that holds it, and put back there", async (t) => {
  const issuer = await openIssuer(store);
  await issuer.create();
  const target = emptyBeside(t, store);
  const lines = await backedUp(store);
  t.match(await restored(target, lines), { complete: true });
  const found = await disagreements(target, { tenantId: issuer.tenantId, opening: 1000 });
  t.strictSame(found, []);
});

t.test("with its nodes gone every call is refused as unavailable", async (t) => {
  const issuer = await openIssuer(store);
  const lonely = await openStore(t, { url: store.url });
  await server.crash();
  await t.rejects(issuer.create(), { code: "unavailable" });
  await t.rejects(issuer.passes.find(issuer.tenantId, store.ids.uuid()), { code: "unavailable" });
  await until("the client gives the cluster up", () => lonely.connection.status !== "ready");
  await t.rejects(issuer.create(), { code: "unavailable" }, "then, too");
});
