import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import t from "tap";
import { openDeadLetters } from "../../support/dead-letters.ts";
import { openStore } from "../../support/store.ts";
import { until } from "../../support/until.ts";
import { openSubscriber } from "../../support/webhooks.ts";
import { passwright } from "../fixtures/passwright.ts";

const entry = fileURLToPath(new URL("../../../bin/run.js", import.meta.url));
const store = await openStore(t, { partitions: 16 });
const env = {
  PATH: process.env.PATH ?? "",
  PASSWRIGHT_REDIS_URL: store.url,
  PASSWRIGHT_KEY_PREFIX: store.keys.prefix,
  PASSWRIGHT_MASTER_KEY: randomBytes(32).toString("base64"),
};
const dead = openDeadLetters(store);
const subscriber = openSubscriber(store);
const webhooks = 10;
const letters = 1000;
for (let made = 0; made < webhooks; made += 1) await subscriber.subscribe();
for (let made = 0; made < letters; made += webhooks) await dead.killDelivery(subscriber);

/** A command that runs on; `said` is its standard error so far. */
function begin(...args: string[]) {
  const child = spawn(process.execPath, [entry, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  return { child, said: () => said, ended: codeOf(child, () => said) };
}

async function codeOf(child: ChildProcess, said: () => string) {
  const [code, signal] = await once(child, "close");
  return { code, signal, stderr: said() };
}

const oneLine = /^\n?Interrupted\. [^\n]+\n$/;

t.test("Ctrl-C while letters are exported ends with 130 and says how many are written", async (t) => {
  const { child, ended } = begin("deadletter", "export", "--all-tenants");
  // Nobody reads: it waits for its reader when the pipe is full.
  await once(child.stdout, "readable");
  child.kill("SIGINT");
  child.stdout.resume();
  const { code, stderr } = await ended;
  t.equal(code, 130);
  t.match(stderr, oneLine);
  t.match(stderr, /\d+ dead letters are written/);
});

t.test("Ctrl-C while letters are replayed leaves the rest to a worker, and says so", async (t) => {
  const { child, said, ended } = begin(
    "deadletter",
    "replay",
    "--all-tenants",
    "--limit",
    "3",
    "--rate",
    "1",
  );
  await until("the replay has begun", () => /Replay .*: 3 dead letters/.test(said()) || null);
  child.kill("SIGINT");
  const { code, stderr } = await ended;
  t.match(`${code}`, /^[13]$/, "partly done, or not at all");
  t.match(stderr, /A worker goes on with the replay/);
});

t.test("Ctrl-C while letters are purged ends with 130 and says how many are gone", async (t) => {
  const { child, ended } = begin("deadletter", "purge", "--all-tenants", "--yes");
  await until("some are gone", async () => ((await dead.list()).length < letters - 10 ? true : null));
  child.kill("SIGINT");
  const { code, stderr } = await ended;
  const left = await dead.list();
  t.equal(code, 130, stderr);
  t.match(stderr, /Interrupted\. \d+ of \d+ dead letters are gone; the same command goes on with the rest/);
  t.ok(left.length > 0);
});

t.test("Ctrl-C while a tenant is deleted ends with 130, and the same command goes on with it", async (t) => {
  const made = await passwright(["tenants", "create", "--name", "Example", "--json"], env);
  const { id } = JSON.parse(made.stdout);
  const { child, said, ended } = begin("tenants", "delete", id, "--yes");
  await until("it waits", () => /Waiting/.test(said()) || null);
  child.kill("SIGINT");
  const { code, stderr } = await ended;
  t.equal(code, 130);
  t.match(stderr, /Interrupted\. .*the same command goes on with it\.\n$/);
  t.match(JSON.parse((await passwright(["tenants", "show", id, "--json"], env)).stdout), {
    status: "deleting",
  });
  const listed = await passwright(["tenants", "list"], env);
  t.match(listed.stdout, /deleting +-\n/, "what is gone of it is not made up");
});

t.test("where the reader of a pipe has gone, a command ends quietly", async (t) => {
  const commands = [
    "--help",
    "config",
    "autocomplete bash",
    "deadletter export --all-tenants",
    "tenants list --json",
  ];
  for (const command of [...commands, "deadletter list --all-tenants --all"]) {
    for (const reader of ["true", "head -n 1"]) {
      const line = `"$NODE" "$ENTRY" ${command} | ${reader} >/dev/null; exit \${PIPESTATUS[0]}`;
      const options = { env: { ...env, NODE: process.execPath, ENTRY: entry }, timeout: 30_000 };
      const { status, stderr } = spawnSync("bash", ["--norc", "-c", line], options);
      t.strictSame([status, String(stderr)], [0, ""], `${command} | ${reader}`);
    }
  }
});
