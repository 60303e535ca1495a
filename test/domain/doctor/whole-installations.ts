import { randomBytes } from "node:crypto";
import { Redis } from "ioredis";
import t from "tap";
import { openExamination } from "../../../src/app.ts";
import { readConfig } from "../../../src/config.ts";
import { checks } from "../../../src/domain/doctor/checks.ts";
import { examine } from "../../../src/domain/doctor/examine.ts";
import { openExamined } from "../../support/examination.ts";
import { startRedisServer } from "../../support/redis-server.ts";
import { until } from "../../support/until.ts";

t.test("a cluster is looked at as a single Redis is, and no check spans its slots", async (t) => {
  const server = await startRedisServer(t, { "cluster-enabled": "yes", "cluster-announce-ip": "127.0.0.1" });
  const admin = new Redis(server.url);
  t.teardown(() => admin.disconnect());
  await admin.call("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
  await until("the cluster is up", async () => /cluster_state:ok/.test(String(await admin.cluster("INFO"))));
  const examined = await openExamined(t, { url: `redis+cluster://127.0.0.1:${server.port}` });
  await examined.connection.hset(examined.keys.meta, "partitions", "16");
  const { id } = await examined.addTenant();
  await examined.addWebhook(id, "https://hooks.example.com/passes");
  const report = await examine({
    ...{ checks, needs: examined, clock: examined.clock, online: false, deep: true },
    mend: (_check, fix) => fix.apply(),
  });
  t.strictSame(
    report.findings.filter(({ status }) => status === "unknown"),
    [],
  );
  t.strictSame(
    report.findings.filter(({ status }) => status === "failed").map(({ check }) => check),
    ["workers"],
  );
  t.match(report.fixes, [{ check: "queue-groups", done: true }]);
});

t.test("the user that docs/redis.md describes may ask all but for settings", async (t) => {
  const server = await startRedisServer(t, { appendonly: "yes" });
  const admin = new Redis(server.url);
  t.teardown(() => admin.disconnect());
  const rights = ["~pw:*", "&pw:*", "+@all", "-@dangerous", "+info"];
  await admin.call("ACL", "SETUSER", "shop", "on", ">pw", ...rights);
  await admin.hset("pw:meta", "partitions", "16");
  const config = readConfig({
    env: {
      PASSWRIGHT_REDIS_URL: server.url.replace("//", "//shop:pw@"),
      PASSWRIGHT_MASTER_KEY: randomBytes(32).toString("base64"),
    },
  });
  const examination = await openExamination(config, { deep: true });
  t.teardown(() => examination.close());
  const report = await examine({
    ...{ checks, needs: examination, clock: examination.clock, online: false, deep: true },
    mend: (_check, fix) => fix.apply(),
  });
  t.strictSame(
    report.findings.filter(({ status }) => status === "unknown").map(({ check }) => check),
    ["fsync"],
  );
  t.strictSame(
    report.findings.filter(({ status }) => status === "failed").map(({ check }) => check),
    ["workers"],
  );
  t.match(report.fixes, [{ check: "queue-groups", done: true }]);
});
