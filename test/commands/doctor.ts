import { randomBytes } from "node:crypto";
import t from "tap";
import { checks } from "../../src/domain/doctor/checks.ts";
import { openConnection, whenReady } from "../../src/redis/connection.ts";
import { createKeys } from "../../src/redis/keys.ts";
import { openCommands } from "../support/command.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { openStore, testRedisUrl } from "../support/store.ts";
import { openQueue } from "../support/work.ts";

type Found = { check: string; status: string; message: string; fixable: boolean };

/** The findings of a check. */
function of(json: { findings: Found[] }, name: string): Found[] {
  return json.findings.filter(({ check }) => check === name);
}

t.test("an installation at work passes with warnings, and every check has told something", async (t) => {
  const store = await openStore(t, { partitions: 16 });
  const run = openCommands(t, store.keys.prefix);
  t.equal((await run("tenants create", ["--name", "Acme"])).code, 0);
  const queue = await openQueue(store);
  await queue.reconcile(0);
  const { code, json, stderr } = await run("doctor", ["--json"]);
  t.equal(code, 0, stderr);
  t.equal(json.status, "warning", "the tests' Redis has no append-only file");
  t.strictSame(
    [...new Set(json.findings.map(({ check }: Found) => check))],
    checks.map(({ name }) => name),
  );
  t.match(of(json, "append-only-file"), [{ status: "warning" }]);
  t.match(of(json, "partitions"), [{ status: "ok", message: /1 tenant/ }]);
  t.match(of(json, "orphaned-keys"), [{ status: "skipped" }]);
  t.equal(json.counts.failed, 0);
});

t.test("what is missing exits 1, --fix makes it, and that is in the audit log", async (t) => {
  const prefix = `test-${randomBytes(6).toString("hex")}`;
  const run = openCommands(t, prefix);
  const connection = openConnection(testRedisUrl(), { name: "test" });
  t.teardown(() => connection.disconnect());
  await whenReady(connection, 5000);
  const store = { keys: createKeys({ prefix, partitions: 16 }) };
  t.equal((await run("tenants create", ["--name", "Acme"])).code, 0);
  t.equal((await run("doctor", ["--offline", "--json", "--fix"])).code, 1, "no worker runs");
  await connection.xgroup("DESTROY", store.keys.queue(3, "bulk"), "workers");
  await connection.hset(store.keys.reconciled(0), "at", Date.now());

  const before = await run("doctor", ["--offline"]);
  t.equal(before.code, 1);
  t.match(
    before.stdout,
    /^FAILED +queue-groups +1 of 48 queues lack their group.*\n +-> `passwright doctor --fix`/m,
  );
  t.match(before.stdout, /Something is wrong\. \(/);

  const fixed = await run("doctor", ["--offline", "--fix", "--json"]);
  t.match(of(fixed.json, "queue-groups"), [{ status: "ok" }]);
  t.match(fixed.json.fixes, [{ check: "queue-groups", done: true, result: /1 queue were made|1 queue/ }]);
  const { json: entries } = await run("audit list", ["--action", "doctor", "--json"]);
  t.match(entries, [
    {
      action: "doctor",
      tenant_id: null,
      target: { type: "check", id: "queue-groups" },
      result: "done",
      details: { fix: "make missing consumer groups" },
    },
    { action: "doctor", target: { id: "queue-groups" } },
  ]);
});

t.test("--offline connects to nobody, --deep looks at every key", async (t) => {
  const run = openCommands(t);
  const { json } = await run("doctor", ["--offline", "--deep", "--json"]);
  for (const name of ["google-wallet", "google-callback-keys", "apns", "webhook-egress"]) {
    t.match(of(json, name), [{ status: "skipped", message: /--offline/ }], name);
  }
  t.match(of(json, "orphaned-keys"), [{ status: "ok" }]);
});

t.test("a Redis that serve would refuse is looked at all the same", async (t) => {
  const run = openCommands(t);
  const { url } = await startRedisServer(t, { maxmemory: "100mb", "maxmemory-policy": "allkeys-lru" });
  const { code, json } = await run("doctor", ["--offline", "--json", "--redis-url", url]);
  t.equal(code, 1);
  t.match(of(json, "eviction"), [{ status: "failed", message: /allkeys-lru/ }]);
  t.match(of(json, "scripts"), [{ status: "ok" }]);
});

t.test("without Redis that is said, and of the rest that it could not be looked at", async (t) => {
  const run = openCommands(t);
  const { code, json } = await run("doctor", ["--offline", "--json", "--redis-url", "redis://127.0.0.1:1"]);
  t.equal(code, 1);
  t.match(of(json, "redis"), [{ status: "failed", message: /does not answer: .*ECONNREFUSED/ }]);
  t.equal(json.counts.failed, 1, "one cause, one fault");
  t.ok(json.counts.unknown > 10);
  const unknown = json.findings.find(({ status }: Found) => status === "unknown");
  t.match(unknown, { message: /Could not be looked at/, remedy: /See what redis says/ });
});

t.test("a password that Redis refuses is told as that", async (t) => {
  const run = openCommands(t);
  const { url } = await startRedisServer(t, { requirepass: "right" });
  const wrong = url.replace("//", "//:wrong@");
  const { code, json } = await run("doctor", ["--offline", "--json", "--redis-url", wrong]);
  t.equal(code, 1);
  t.match(of(json, "redis"), [{ status: "failed", message: /WRONGPASS|NOAUTH/ }]);
  t.notMatch(JSON.stringify(json), /wrong@/);
});
