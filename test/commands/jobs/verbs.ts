import t, { type Test } from "tap";
import { openCommands } from "../../support/command.ts";
import { openJobs } from "../../support/jobs.ts";
import { freePort } from "../../support/redis-server.ts";
import { openStore } from "../../support/store.ts";

const nobody = "0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10";

/** Commands, and a tenant with a job that failed, one that is put off, and a batch that waits. */
async function opened(t: Test) {
  // As many partitions as the commands take, and the commands' time.
  const store = await openStore(t, { partitions: 16 });
  store.clock.setTo(Date.now());
  const run = openCommands(t, store.keys.prefix);
  const jobs = await openJobs(store, { wallets: ["apple"] });
  const failed = await jobs.failPass();
  const putOff = await jobs.putOffPass();
  const batch = await jobs.createBatch();
  const owned = ["--tenant", jobs.tenantId];
  const audit = async () => (await run("audit list", ["--action", "jobs", "--json"])).json;
  return { ...jobs, run, failed, putOff, batch, owned, audit };
}

t.test("list shows the newest first, sifts, and exits 4 when there is none", async (t) => {
  const { run, owned, failed, putOff, batch, tenantId } = await opened(t);
  const all = await run("jobs list", [...owned, "--json"]);
  t.equal(all.code, 0, all.stderr);
  t.match(all.json, [
    { id: batch, type: "batch.process", status: "queued", resource: { type: "batch" }, error: null },
    { id: putOff, type: "pass.create", status: "retrying", progress: { done: 0, total: 1 }, attempts: 1 },
    { id: failed, status: "failed", error: { error: "provider_unavailable" } },
  ]);
  const sifted = async (...flags: string[]) => {
    const { json } = await run("jobs list", [...owned, ...flags, "--json"]);
    return json.map(({ id }: { id: string }) => id);
  };
  t.strictSame(await sifted("--status", "failed"), [failed]);
  t.strictSame(await sifted("--type", "pass.create", "--limit", "1"), [putOff]);
  const two = await run("jobs list", [...owned, "--limit", "2", "--json"]);
  t.equal(two.json.length, 2);
  t.equal(two.stderr, "2 are shown, and there are more: --limit N shows them.\n");
  t.equal((await run("jobs list", [...owned, "--limit", "3", "--json"])).stderr, "", "these are all");
  const table = await run("jobs list", [...owned, "--status", "retrying"]);
  t.match(
    table.stdout,
    new RegExp(`^ID .*ERROR\\n${putOff} +pass.create +retrying +0/1 +1 +\\S+Z +provider_unavailable\\n$`),
  );

  const none = await run("jobs list", [...owned, "--status", "cancelled"]);
  t.match(none, { code: 4, stdout: "", stderr: "No job matches.\n" });
  t.match(await run("jobs list", ["--tenant", nobody, "--json"]), { code: 4, json: { error: "not_found" } });
  for (const wrong of [[], [...owned, "--status", "lost"], [...owned, "--limit", "0"]]) {
    t.equal((await run("jobs list", wrong)).code, 2, wrong.join(" "));
  }
  const away = `redis://127.0.0.1:${await freePort()}`;
  const gone = await run("jobs list", ["--tenant", tenantId, "--redis-url", away]);
  t.match(gone, { code: 1, stdout: "", stderr: /^Error: .*\nIs Redis running.*\n$/ });
});

t.test("show tells all that is known of a job", async (t) => {
  const { run, owned, failed, putOff } = await opened(t);
  const shown = await run("jobs show", [failed, ...owned, "--json"]);
  t.match(shown, {
    code: 0,
    json: {
      id: failed,
      status: "failed",
      trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
      error: { error: "provider_unavailable", error_description: "because of provider_unavailable" },
      lanes: [
        {
          ...{ lane: "apple", state: "failed", attempts: 1, replays: 0, next_attempt_at: null },
          dead_letter: /^\d\d-\d+-\d+$/,
        },
      ],
    },
  });
  const text = (await run("jobs show", [putOff, ...owned])).stdout;
  t.match(text, /^trace_id +4bf92f35/m);
  t.match(text, /^apple +retrying +1 +0 +\S+Z +-$/m);
  t.equal((await run("jobs show", [nobody, ...owned])).code, 4);
  t.equal((await run("jobs show", ["nonsense", ...owned])).code, 4);
  t.equal((await run("jobs show", owned)).code, 2);
});

t.test("retry gives a job another try, refuses what has none, and is written down", async (t) => {
  const { run, owned, failed, putOff, batch, audit, tenantId } = await opened(t);
  const replayed = await run("jobs retry", [failed, ...owned, "--json"]);
  t.match(replayed, {
    code: 0,
    json: { id: failed, status: "queued", retry: { hastened: [], replay: { replayed: 1, refused: {} } } },
  });
  const hastened = await run("jobs retry", [putOff, ...owned, "--json"]);
  t.match(hastened, { code: 0, json: { retry: { hastened: ["apple"], replay: null } } });
  const refused = await run("jobs retry", [batch, ...owned]);
  t.match(refused, { code: 1, stdout: "", stderr: /^Error: The job waits for a worker already/ });
  t.equal((await run("jobs retry", [nobody, ...owned])).code, 4);

  const done = { action: "jobs.retry", tenant_id: tenantId, result: "done" };
  t.match(await audit(), [
    { action: "jobs.retry", target: { id: nobody }, result: "failed", details: { error: "not_found" } },
    { target: { type: "job", id: batch }, result: "failed", details: { error: "invalid_state" } },
    { ...done, target: { type: "job", id: putOff }, details: { hastened: ["apple"] } },
    { ...done, target: { type: "job", id: failed }, details: { replay: { replayed: 1 } } },
  ]);
});

t.test("what stays a dead letter is named with the remedy", async (t) => {
  const { run, owned, failed, tenantId, store } = await opened(t);
  await store.connection.hset(store.keys.credits(tenantId), "balance", 0);
  const retried = await run("jobs retry", [failed, ...owned]);
  t.equal(retried.code, 1);
  t.match(retried.stderr, /^The dead letter \S+ stays \(insufficient_credits\)\. .*tenants credits/);
  t.match(retried.stdout, /^status +failed$/m);
});

t.test("cancel takes a batch back, refuses all else, and is written down", async (t) => {
  const { run, owned, failed, putOff, batch, audit } = await opened(t);
  t.match(await run("jobs cancel", [batch, ...owned, "--json"]), {
    ...{ code: 0, json: { id: batch, status: "cancelled" } },
  });
  t.match(await run("jobs cancel", [putOff, ...owned]), { code: 1, stderr: /PATCH or DELETE/ });
  t.match(await run("jobs cancel", [failed, ...owned, "--json"]), {
    ...{ code: 1, json: { error: "invalid_state", error_description: /is failed/ } },
  });
  t.equal((await run("jobs cancel", [nobody, ...owned])).code, 4);
  t.match((await run("jobs list", [...owned, "--status", "cancelled", "--json"])).json, [{ id: batch }]);
  t.match(await audit(), [
    { result: "failed", details: { error: "not_found" } },
    { result: "failed", details: { error: "invalid_state" } },
    { result: "failed", target: { id: putOff } },
    { action: "jobs.cancel", target: { type: "job", id: batch }, result: "done" },
  ]);
});
