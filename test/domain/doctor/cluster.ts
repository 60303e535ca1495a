import { Redis } from "ioredis";
import t from "tap";
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
