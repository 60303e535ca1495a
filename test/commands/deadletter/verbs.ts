import t, { type Test } from "tap";
import { createTenant } from "../../../src/domain/tenants/create.ts";
import { createTenantStore } from "../../../src/redis/tenants.ts";
import { openCommands } from "../../support/command.ts";
import { openDeadLetters } from "../../support/dead-letters.ts";
import { openStore } from "../../support/store.ts";
import { openSubscriber } from "../../support/webhooks.ts";

/** Commands, and dead letters for them: two deliveries of one tenant, and a job of another. */
async function opened(t: Test) {
  // As many partitions as the commands take.
  const store = await openStore(t, { partitions: 16 });
  const run = openCommands(t, store.keys.prefix);
  const dead = openDeadLetters(store);
  const subscriber = openSubscriber(store);
  const webhook = await subscriber.subscribe();
  await dead.killDelivery(subscriber, [500, 503]);
  await dead.killDelivery(subscriber, [404]);
  const tenants = createTenantStore(store);
  const tenant = await createTenant(
    { ...store, tenants },
    { name: "Jobs", billing: { mode: "prepaid", credits: 5 } },
  );
  const jobId = await dead.killJob(tenant.id);
  return { ...store, store, run, dead, subscriber, webhook, tenant, jobId };
}

t.test("list takes an explicit scope, filters, and exits 4 when nothing matches", async (t) => {
  const { run, webhook, tenant, subscriber, jobId } = await opened(t);
  const unscoped = await run("deadletter list", ["--json"]);
  t.equal(unscoped.code, 2);
  t.match(unscoped.json, { error: "invalid_request", error_description: /--all-tenants/ });

  const all = await run("deadletter list", ["--all-tenants", "--json"]);
  t.equal(all.code, 0, all.stderr);
  t.match(all.json, [
    {
      kind: "webhook",
      tenant_id: subscriber.tenantId,
      endpoint: webhook.id,
      event_type: "pass.created",
      reason: "http_503",
      attempts: 2,
      dead_at: /^\d{4}-\d\d-\d\dT.*Z$/,
    },
    { kind: "webhook", reason: "http_404", attempts: 1 },
    { kind: "job", tenant_id: tenant.id, job_id: jobId, endpoint: null, event_type: null },
  ]);
  const ids: string[] = all.json.map(({ id }: { id: string }) => id);

  const ofTenant = await run("deadletter list", ["--tenant", tenant.id, "--since", "2h", "--json"]);
  t.match(ofTenant.json, [{ id: ids[2] }]);
  const byStdin = await run("deadletter list", ["-", "--json"], `${ids[1]}\n${ids[0]}\n`);
  t.strictSame(byStdin.json, all.json.slice(0, 2), "oldest first, whatever their order");
  const table = await run("deadletter list", [
    "--all-tenants",
    "--endpoint",
    webhook.id,
    "--reason",
    "http_404",
  ]);
  t.match(table.stdout, new RegExp(`^ID .*REASON\\n${ids[1]} .*http_404\\n`));

  const nothing = await run("deadletter list", ["--all-tenants", "--until", "7d", "--json"]);
  t.strictSame([nothing.code, nothing.json], [4, []]);
  t.equal((await run("deadletter list", ["--all-tenants", "--since", "yesterday"])).code, 2);
  t.equal((await run("deadletter list", ["--all-tenants", "--kind", "pass"])).code, 2);
  t.equal((await run("deadletter list", ["nonsense"])).code, 2);
  t.equal((await run("deadletter list", ["--all-tenants", "--tenant", tenant.id])).code, 2);
});

t.test("show, stats and export tell all that is known", async (t) => {
  const { run, jobId } = await opened(t);
  const exported = await run("deadletter export", ["--all-tenants"]);
  t.equal(exported.code, 0, exported.stderr);
  const lines = exported.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  t.match(lines, [
    {
      payload: { type: "pass.created" },
      attempt_history: [
        { number: 1, status_code: 500, error: "answered 500" },
        { number: 2, status_code: 503 },
      ],
      error: { error: "http_503" },
    },
    { reason: "http_404" },
    {
      job_id: jobId,
      payload: { type: "pass" },
      error: { error: "provider_unavailable" },
      trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
    },
  ]);
  const shown = await run("deadletter show", [lines[0].id, "--json"]);
  t.strictSame([shown.code, shown.json], [0, lines[0]]);
  t.match((await run("deadletter show", [lines[0].id])).stdout, /answered 500.*"type": "pass.created"/s);
  t.equal((await run("deadletter show", ["03-17-0"])).code, 4);
  t.equal((await run("deadletter show", ["nonsense"])).code, 2);

  const stats = await run("deadletter stats", ["--all-tenants", "--json"]);
  t.strictSame(stats.json, {
    total: 3,
    by_kind: { webhook: 2, job: 1 },
    by_reason: { http_404: 1, http_503: 1, provider_unavailable: 1 },
    oldest: lines[0].dead_at,
    newest: lines[2].dead_at,
  });
  t.equal((await run("deadletter export", ["--all-tenants", "--reason", "none"])).code, 4);
});

t.test("replay moves what matches, says so by its exit code, and is safe to repeat", async (t) => {
  const { run, dead, subscriber, connection, keys } = await opened(t);
  const filter = ["--all-tenants", "--kind", "webhook", "--json"];
  const plan = await run("deadletter replay", [...filter, "--dry-run", "--rate", "1"]);
  t.match(plan, { code: 0, json: { dry_run: true, total: 2, seconds: 1 } });
  t.equal((await dead.list()).length, 3, "nothing has been done");

  const [gone, kept] = await dead.list({ kind: "webhook" });
  await connection.del(keys.record(subscriber.tenantId, "delivery", gone?.recordId ?? ""));
  const partly = await run("deadletter replay", filter);
  t.match(partly, { code: 3, json: { matched: 2, replayed: 1, refused: { record_gone: 1 } } });
  t.match(partly.stderr, `${gone?.id} stays: record_gone`);
  t.match(await subscriber.take(), [{ id: kept?.recordId, attempt: 1 }]);

  t.equal((await run("deadletter replay", filter)).code, 1, "none of them could be");
  t.equal((await run("deadletter replay", [kept?.id ?? ""])).code, 4, "it is no letter any more");
  t.equal((await run("deadletter replay", [])).code, 2);
  const both = await run("deadletter replay", ["-"], (await dead.list({ kind: "job" }))[0]?.id);
  t.equal(both.code, 0, both.stderr);
  t.match(both.stdout, /overtaken +1/);
});

t.test("more than a hundred are replayed only with --yes where nobody can be asked", async (t) => {
  const { run, connection, keys, dead } = await opened(t);
  // Old ones go into partitions that have no newer ones.
  const taken = new Set((await dead.list()).map(({ id }) => Number(id.slice(0, 2))));
  const [one = 0, other = 0] = keys.allPartitions.filter((partition) => !taken.has(partition));
  for (let ms = 1; ms <= 101; ms += 1) {
    const facts = ["r", `tenant:job:${ms}`, "l", "apple", "reason", "internal_error"];
    await connection.xadd(keys.deadLetters(ms % 2 === 0 ? one : other), `${ms}-0`, ...facts);
  }
  const filter = ["--all-tenants", "--reason", "internal_error"];
  const refused = await run("deadletter replay", filter);
  t.equal(refused.code, 2);
  t.match(refused.stderr, /--yes/);
  t.equal((await dead.list()).length, 104);
  const first = await run("deadletter replay", [...filter, "--limit", "100", "--json"]);
  t.match(
    first,
    { code: 1, json: { matched: 100, refused: { record_gone: 100 } } },
    "a hundred are not asked about",
  );
  const all = await run("deadletter replay", [...filter, "--yes", "--json"]);
  t.match(all.json, { matched: 101, refused: { record_gone: 101 } });
});

t.test("purge always wants --yes where nobody can be asked", async (t) => {
  const { run, dead, jobId, connection, keys, tenant } = await opened(t);
  const refused = await run("deadletter purge", ["--tenant", tenant.id]);
  t.equal(refused.code, 2);
  t.equal((await dead.list()).length, 3);
  const purged = await run("deadletter purge", ["--tenant", tenant.id, "--yes", "--json"]);
  t.match(purged, { code: 0, json: { matched: 1, purged: 1 } });
  t.ok((await connection.ttl(keys.record(tenant.id, "job", jobId))) > 0);
  t.equal((await run("deadletter purge", ["--tenant", tenant.id, "--yes"])).code, 4);
  t.equal((await dead.list()).length, 2);
});
