import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { openCommands } from "../support/command.ts";
import { freePort } from "../support/redis-server.ts";

t.setTimeout(240_000);

const folder = t.testdir();
const master = {
  PASSWRIGHT_MASTER_KEY: randomBytes(32).toString("base64"),
  PASSWRIGHT_OPERATOR: "the tests",
};
const run = openCommands(t, undefined, master);
const created = await run("tenants create", ["--name", "Copied", "--credits", "7", "--json"]);
const tenantId: string = created.json.id;
const scope = ["--tenant", tenantId];
const file = join(folder, "tenant.backup");
const everything = join(folder, "all.backup");

t.test("a tenant goes into a file that only its owner may read, and that is written down", async (t) => {
  const made = await run("backup", [...scope, "--to", file, "--json"]);
  t.equal(made.code, 0, made.stderr);
  t.match(made.json, { tenant_id: tenantId, complete: true, sections: 2, resumed_at: 0, to: file });
  t.equal(statSync(file).mode & 0o777, 0o600);
  t.equal(readFileSync(file, "utf8").trimEnd().split("\n").length, made.json.records);
  t.match((await run("audit list", ["--action", "backup", "--json"])).json, [
    { result: "done", who: "the tests", tenant_id: tenantId, details: { backup: made.json.id, to: file } },
    { result: "started" },
  ]);
});

t.test("a file that is there is not written over; --resume goes on with it where it was cut", async (t) => {
  const again = await run("backup", [...scope, "--to", file]);
  t.match(again, { code: 2, stderr: /--to exists already/ });
  t.match(await run("backup", [...scope, "--to", file, "--resume"]), { code: 2, stderr: /is whole/ });
  t.match(await run("backup", ["--all", "--to", everything]), { code: 0, stdout: /is complete/ });
  const whole = statSync(everything).size;
  truncateSync(everything, Math.floor(whole * 0.8));
  t.match(await run("restore", [everything]), { code: 1, stderr: /cut short|damaged/ });
  const resumed = await run("backup", ["--all", "--to", everything, "--resume", "--json"]);
  t.equal(resumed.code, 0, resumed.stderr);
  t.match(resumed.json, { complete: true, sections: 17 });
  t.ok(resumed.json.resumed_at > 1);
  t.match(await run("backup", [...scope, "--to", everything, "--resume"]), {
    code: 2,
    stderr: /is whole|of the whole installation/,
  });
});

t.test("standard output takes the backup alone, and standard input gives it back", async (t) => {
  const piped = await run("backup", [...scope, "--to", "-"]);
  t.equal(piped.code, 0, piped.stderr);
  t.match(piped.stderr, /is complete/);
  const target = openCommands(t, undefined, master);
  const taken = await target("restore", ["-", "--json"], piped.stdout);
  t.equal(taken.code, 0, taken.stderr);
  t.match(taken.json, { complete: true, tenants: 1, unopened_secrets: 0 });
  t.match((await target("tenants show", [tenantId, "--json"])).json, {
    name: "Copied",
    credits: 7,
    status: "active",
  });
  t.match(await run("backup", [...scope, "--to", "-", "--json"]), { code: 2 });
});

t.test("a tenant that is there stays, unless --yes gives it up", async (t) => {
  const target = openCommands(t, undefined, master);
  t.equal((await target("restore", [file])).code, 0);
  await target("tenants credits", [tenantId, "--add", "5"]);
  t.match(await target("restore", [file]), { code: 1, stderr: /is there already/ });
  t.match((await target("tenants show", [tenantId, "--json"])).json, { credits: 12 });
  const forced = await target("restore", [file, "--yes", "--json"]);
  t.equal(forced.code, 0, forced.stderr);
  t.match((await target("tenants show", [tenantId, "--json"])).json, { credits: 7 });
});

t.test("what does not work is one clear line, and its exit code", async (t) => {
  const broken = join(folder, "broken.backup");
  const lines = readFileSync(file, "utf8").split("\n");
  writeFileSync(broken, lines.with(3, `${lines[3]} `).join("\n"));
  const stranger = openCommands(t);
  const away = openCommands(t, undefined, { PASSWRIGHT_REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
  for (const [outcome, code, said] of [
    [run("backup", ["--to", join(folder, "x")]), 2, /--all|--tenant/],
    [run("backup", ["--tenant", randomUUID(), "--to", join(folder, "x")]), 4, /There is no tenant/],
    [run("backup", [...scope, "--to", join(folder, "none/x")]), 1, /there is no such file or directory/],
    [run("backup", [...scope, "--to", "-", "--resume"]), 2, /--resume needs a file/],
    [run("restore", [join(folder, "none")]), 1, /cannot be read: there is no such file/],
    [run("restore", [broken]), 1, /Record 4 is damaged|Record 4 is not as it was written/],
    [stranger("restore", [file]), 1, /master key that is not configured here/],
    [away("backup", [...scope, "--to", join(folder, "x")]), 1, /Is Redis running/],
  ] as const) {
    const { stderr, ...ended } = await outcome;
    t.equal(ended.code, code, stderr);
    t.match(stderr, said);
  }
});
