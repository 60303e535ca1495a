import { hostname, userInfo } from "node:os";
import t, { type Test } from "tap";
import { openCommands } from "../../support/command.ts";
import { openDeadLetters } from "../../support/dead-letters.ts";
import { openReplays } from "../../support/replays.ts";
import { openStore } from "../../support/store.ts";

const me = `${userInfo().username}@${hostname()}`;

/** Commands, and dead letters of two tenants' jobs. */
async function opened(t: Test) {
  const store = await openStore(t, { partitions: 16 });
  // Commands go by the real time.
  store.clock.setTo(Date.now());
  const run = openCommands(t, store.keys.prefix);
  const dead = openDeadLetters(store);
  const [one, other] = [store.ids.uuid(), store.ids.uuid()];
  for (const tenantId of [one, one, other]) await dead.killJob(tenantId);
  return { store, run, dead, one, other, terminal: openReplays(store, { holder: "terminal:1" }) };
}

t.test("a finished replay shows its task, which task and tasks show again", async (t) => {
  const { run, store } = await opened(t);
  t.match(await run("deadletter tasks", ["--json"]), { code: 4, json: [] });
  const replayed = await run("deadletter replay", [
    "--all-tenants",
    "--reason",
    "provider_unavailable",
    "--json",
  ]);
  t.equal(replayed.code, 0, replayed.stderr);
  const { unknown_ids: unknown, ...task } = replayed.json;
  t.equal(unknown, 0);
  t.match(task, {
    id: /^[0-9a-f-]{36}$/,
    status: "completed",
    tenant_id: null,
    filter: { kind: null, reason: "provider_unavailable", since: null, limit: null, ids: null },
    rate: null,
    replay_limit: 10,
    matched: 3,
    replayed: 0,
    overtaken: 3,
    already_gone: 0,
    refused: {},
    refused_ids: [],
    remaining: 0,
    eta_seconds: null,
    requested_by: me,
    cancelled_by: null,
    held_by: null,
    finished_at: /Z$/,
  });
  t.strictSame((await run("deadletter task", [task.id, "--json"])).json, task);
  t.strictSame((await run("deadletter tasks", ["--json"])).json, [task]);
  t.match(
    (await run("deadletter task", [task.id])).stdout,
    /status +completed\n.*matched +3\n.*overtaken +3\n/s,
  );
  t.match((await run("deadletter tasks")).stdout, new RegExp(`^ID .*\n${task.id} +completed .* 3/3 `));
  t.match(await run("deadletter task", [store.ids.uuid()]), { code: 4, stderr: /30 days/ });
  t.match(
    await run("deadletter replay", ["--resume", task.id, "--json"]),
    { code: 0, json: { ...task } },
    "again",
  );
});

t.test("a replay that was begun elsewhere is shown, keeps others out, and can be resumed", async (t) => {
  const { run, dead, terminal, one, other } = await opened(t);
  const { task } = await terminal.start({ tenantId: one });
  t.match((await run("deadletter task", [task.id, "--json"])).json, {
    status: "running",
    held_by: "terminal:1",
    remaining: 2,
    requested_by: "ada@host",
  });
  const busy = await run("deadletter replay", [...(await dead.list({ tenantId: one })).map(({ id }) => id)]);
  t.match(busy, { code: 1, stderr: new RegExp(`replay ${task.id} .* still runs`) });
  const free = await run(
    "deadletter replay",
    (await dead.list({ tenantId: other })).map(({ id }) => id),
  );
  t.equal(free.code, 0, free.stderr);

  // It looks on until the terminal has been silent for long enough, then drives.
  const resumed = await run("deadletter replay", ["--resume", task.id, "--json"]);
  t.match(resumed, { code: 0, json: { id: task.id, status: "completed", overtaken: 2 } });
  t.strictSame(await dead.list(), []);
  for (const args of [["--tenant", one], ["--rate", "5"], ["--dry-run"], ["07-1-0"]]) {
    const wrong = await run("deadletter replay", ["--resume", task.id, ...args]);
    t.equal(wrong.code, 2, args.join(" "));
  }
  t.equal((await run("deadletter replay", ["--resume", "nonsense"])).code, 4);
});

t.test("cancel ends a replay that another process holds, once", async (t) => {
  const { run, dead, terminal, one } = await opened(t);
  const { task } = await terminal.start({ tenantId: one });
  const cancelled = await run("deadletter cancel", [task.id, "--json"]);
  t.match(cancelled, { code: 0, json: { status: "cancelled", cancelled_by: me, replayed: 0, remaining: 2 } });
  t.equal((await dead.list({ tenantId: one })).length, 2);
  t.match(await run("deadletter cancel", [task.id]), {
    code: 1,
    stderr: /has ended already: it is cancelled/,
  });
  t.equal((await run("deadletter replay", ["--resume", task.id])).code, 1, "none of it was replayed");
  const said = await run("audit list", ["--tenant", one, "--json"]);
  t.match(said.json, [
    { who: me, action: "deadletter.replay", result: "cancelled", target: { type: "replay", id: task.id } },
    { who: me, action: "deadletter.cancel", result: "done" },
    { who: "ada@host", action: "deadletter.replay", result: "started", details: { matched: 2, rate: null } },
  ]);
});

t.test("a dry run tells what would stay, and the limit can be lifted", async (t) => {
  const { run, dead, store, one } = await opened(t);
  const [letter] = await dead.list({ tenantId: one });
  const record = store.keys.record(one, "job", letter?.recordId ?? "");
  await store.connection.hset(record, "apple:replays", 10);
  // Its pass is there still, or there would be nothing left to try.
  const passId = letter?.facts?.resource?.id ?? "";
  await store.connection.hset(store.keys.pass(one, passId), {
    revision: 1,
    status: "active",
    charge: "balance",
  });
  const scope = ["--all-tenants", "--json"];
  t.match((await run("deadletter replay", [...scope, "--dry-run"])).json, {
    dry_run: true,
    total: 3,
    obstacles: { replay_limit: 1 },
  });
  const partly = await run("deadletter replay", scope);
  t.match(partly, {
    code: 3,
    json: {
      overtaken: 2,
      refused: { replay_limit: 1 },
      refused_ids: [{ id: letter?.id, reason: "replay_limit" }],
    },
  });
  t.match(partly.stderr, `${letter?.id} stays: replay_limit`);
  const beyond = await run("deadletter replay", [...scope, "--beyond-limit"]);
  t.match(beyond, { code: 0, json: { replayed: 1, replay_limit: null } });
});

t.test("purge names unknown ids, and stands in the audit log from before its first letter", async (t) => {
  const { run, dead, one } = await opened(t);
  const [first] = await dead.list();
  const partly = await run("deadletter purge", [first?.id ?? "", "05-17-0", "--yes", "--json"]);
  t.match(partly, { code: 3, json: { matched: 1, purged: 1, already_gone: 0, unknown_ids: 1 } });
  t.match(partly.stderr, "1 of the ids are no dead letters");
  t.equal((await run("deadletter purge", ["05-17-0", "--yes"])).code, 4);
  t.match(await run("audit list", ["--action", "deadletter.purge", "--json"]), {
    code: 0,
    json: [
      { who: me, result: "done", details: { matched: 1, purged: 1, already_gone: 0, filter: { ids: 2 } } },
      { who: me, result: "started", details: { matched: 1 } },
    ],
  });
  t.match((await run("audit list")).stdout, /^AT .*\n.*deadletter\.purge +done .*\n.*started/);
  t.equal((await run("audit list", ["--tenant", one])).code, 4);
  t.equal((await run("audit list", ["--since", "yesterday"])).code, 2);
});

t.test("a list that was cut goes on behind its last letter", async (t) => {
  const { run, dead } = await opened(t);
  const all = (await dead.list()).map(({ id }) => id);
  const first = (await run("deadletter list", ["--all-tenants", "--limit", "2", "--json"])).json;
  const rest = (await run("deadletter list", ["--all-tenants", "--after", first[1].id, "--json"])).json;
  t.strictSame(
    [...first, ...rest].map(({ id }) => id),
    all,
  );
  t.equal((await run("deadletter list", ["--all-tenants", "--after", "nonsense"])).code, 2);
});
