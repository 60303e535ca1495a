import t, { type Test } from "tap";
import { type Finding, type Fix, findingStatuses } from "../../../src/domain/doctor/check.ts";
import {
  consumers,
  dataFormat,
  groups,
  partitions,
  scripts,
  tenantRecords,
} from "../../../src/domain/doctor/layout-checks.ts";
import { someTenants } from "../../../src/domain/doctor/some-tenants.ts";
import { createStoreLayout } from "../../../src/redis/doctor/layout.ts";
import { createConsumerCensus } from "../../../src/redis/doctor/worker-census.ts";
import { createWorkQueue } from "../../../src/redis/work-queue.ts";
import { openExamined } from "../../support/examination.ts";
import { startRedisServer } from "../../support/redis-server.ts";
import { openStore } from "../../support/store.ts";
import { addJob, openQueue } from "../../support/work.ts";

/** The fix of a finding; the test fails without one. */
function fixOf(t: Test, finding: Finding | undefined): Fix {
  t.ok(finding?.fix, "there is a fix");
  return finding?.fix ?? { does: "nothing", apply: async () => "" };
}

t.test("a status is one of five, which scripts rely on", async (t) => {
  t.strictSame(findingStatuses, ["ok", "warning", "failed", "unknown", "skipped"]);
});

t.test("a store in which nothing was ever stored is warned of", async (t) => {
  const examined = await openExamined(t);
  t.match(await partitions.look(examined), [
    { status: "warning", message: /Nothing was ever stored/, remedy: /PASSWRIGHT_KEY_PREFIX/ },
  ]);
  t.equal(await examined.connection.exists(examined.keys.meta), 0, "looking lays nothing out");
});

t.test("data of a format that this release does not read is told, with what reads it", async (t) => {
  const { connection, keys, open } = await openExamined(t);
  t.match(await dataFormat.look(await open()), [{ status: "ok", message: "Format 1." }]);
  await connection.hset(keys.meta, "format", "2");
  t.match(await dataFormat.look(await open()), [
    {
      status: "failed",
      message: /^The data in Redis has format 2, which a newer release/,
      remedy: /^Install/,
    },
  ]);
});

t.test("a number of partitions that was changed by hand is found by the tenants that it loses", async (t) => {
  const { connection, keys, open, addTenant } = await openExamined(t);
  for (let i = 0; i < 12; i++) await addTenant();
  await connection.hset(keys.meta, "partitions", "16");
  t.match(await partitions.look(await open()), [{ status: "ok", message: /16 partitions; 12 tenants/ }]);
  for (const number of ["4", "17"]) {
    await connection.hset(keys.meta, "partitions", number);
    t.match(
      await partitions.look(await open()),
      [{ status: "failed", message: /of 12 tenants cannot be found/, remedy: /put the old one back/ }],
      number,
    );
  }
  await connection.hset(keys.meta, "partitions", "many");
  t.match(await partitions.look(await open()), [{ status: "failed", message: /«many»/ }]);
});

t.test("a tenant whose record somebody deleted is told, and does not hide the others", async (t) => {
  const examined = await openExamined(t);
  await examined.addTenant();
  t.match(await tenantRecords.look(examined), [{ status: "ok", message: /^1 tenant/ }]);
  const { id } = await examined.addTenant();
  await examined.connection.unlink(examined.keys.tenant(id));
  t.match(await tenantRecords.look(examined), [{ status: "failed", message: id, remedy: /backup/ }]);
  const { tenants, total } = await someTenants({ ...examined, mostTenants: 2 });
  t.match([tenants.length, total], [1, 2]);
  const { id: third } = await examined.addTenant();
  const all = await someTenants({ ...examined, mostTenants: 2 });
  t.match(all.tenants.length, 2);
  t.ok(all.tenants.some((tenant) => tenant.id === third));
});

t.test("a store that no worker has touched lacks its groups, which is no fault", async (t) => {
  const examined = await openExamined(t);
  t.match(
    await groups.look(examined),
    [{ status: "warning", message: /no worker has ever run/, fix: undefined }],
    "under a key prefix that may be a mistake nothing is made",
  );
  await examined.connection.hset(examined.keys.meta, "partitions", "16");
  const [finding] = await groups.look(examined);
  t.match(finding, { status: "warning", message: /no worker has ever run/ });
  t.match(await fixOf(t, finding).apply(), /48 queues/);
  t.match(await groups.look(examined), [{ status: "ok", message: /All 48/ }]);
});

t.test("a group and a stream that somebody deleted are missed, and made again", async (t) => {
  const examined = await openExamined(t);
  await examined.queue.ensureGroups();
  const [queue, other] = [examined.keys.queue(3, "bulk"), examined.keys.queue(7, "interactive")];
  await examined.connection.xgroup("DESTROY", queue, "workers");
  await examined.connection.unlink(other);
  const [finding] = await groups.look(examined);
  t.match(finding, { status: "failed", message: /^2 of 48 queues/ });
  for (const name of [queue, other]) t.ok(finding?.message.includes(name), name);
  await fixOf(t, finding).apply();
  t.match(await groups.look(examined), [{ status: "ok" }]);
});

t.test("names of workers that are gone are found and forgotten; those that hold work stay", async (t) => {
  const store = await openStore(t, { partitions: 2 });
  const consumer = "dead:1:2";
  const queue = await openQueue(store, { consumer });
  // However short their silence was.
  const needs = {
    consumers: createConsumerCensus(store, 0),
    queue: createWorkQueue(store, { consumer: "doctor", leaseMs: 1000, ...store.clock, silentForMs: 0 }),
  };
  t.match(await consumers.look({ ...needs, consumers: createConsumerCensus(store, 3_600_000) }), [
    { status: "ok" },
  ]);
  const tenantId = store.ids.uuid();
  await addJob(store, { tenantId });
  t.equal((await queue.claim([store.keys.partitionOf(tenantId)], 1)).length, 1);
  for (const workClass of ["bulk", "webhooks"] as const) {
    await store.connection.xgroup("CREATECONSUMER", store.keys.queue(0, workClass), "workers", "idle:3:4");
  }
  const found = await consumers.look(needs);
  t.match(found, [
    { status: "warning", message: /^1 name / },
    { status: "failed", message: /^1 name .* still hold 1 piece of work/, remedy: /Never delete/ },
  ]);
  t.match(await fixOf(t, found[0]).apply(), /^2 names were forgotten/);
  t.match(await consumers.look(needs), [{ status: "failed", message: /still hold/ }]);
});

t.test("scripts that Redis does not take are named with its reason", async (t) => {
  const redis = await startRedisServer(t);
  const store = await openStore(t, { url: redis.url });
  t.match(await scripts.look({ layout: createStoreLayout(store) }), [{ status: "ok", message: /All \d\d/ }]);
  await store.connection.call("ACL", "SETUSER", "shop", "on", ">pw", "~*", "&*", "+@all", "-script");
  const limited = await openStore(t, { url: redis.url.replace("//", "//shop:pw@") });
  t.match(await scripts.look({ layout: createStoreLayout(limited) }), [
    { status: "failed", message: /add-credits: NOPERM/, remedy: /\+@all/ },
  ]);
});
