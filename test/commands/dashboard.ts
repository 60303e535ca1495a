import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import t, { type Test } from "tap";
import { planLetters } from "../../src/domain/deadletters/plan.ts";
import { startReplay } from "../../src/domain/deadletters/start-replay.ts";
import { createTenant } from "../../src/domain/tenants/create.ts";
import { createReplayTaskStore } from "../../src/redis/replay-tasks.ts";
import { createTenantStore } from "../../src/redis/tenants.ts";
import { openCommands } from "../support/command.ts";
import { everything, openDeadLetters } from "../support/dead-letters.ts";
import { type RedisServer, startRedisServer } from "../support/redis-server.ts";
import { openStore } from "../support/store.ts";
import { openTerminal, type Terminal } from "../support/tmux.ts";
import { until } from "../support/until.ts";
import { openSubscriber } from "../support/webhooks.ts";

/** A terminal in which `passwright dashboard` can be given, for a store with two dead deliveries. */
async function opened(
  t: Test,
  given: { server?: RedisServer; env?: Record<string, string>; columns?: number; rows?: number } = {},
) {
  const url = given.server?.url;
  const store = await openStore(t, { partitions: 16, ...(url !== undefined && { url }) });
  const dead = openDeadLetters(store);
  const subscriber = openSubscriber(store);
  await subscriber.subscribe();
  await dead.killDelivery(subscriber, [503]);
  await dead.killDelivery(subscriber, [404]);
  const tenants = createTenantStore(store);
  await createTenant(
    { ...store, tenants },
    { name: "Acme «Coffee»", billing: { mode: "prepaid", credits: 5 } },
  );
  const terminal = openTerminal(t, {
    columns: given.columns ?? 80,
    rows: given.rows ?? 24,
    env: {
      PASSWRIGHT_REDIS_URL: store.url,
      PASSWRIGHT_KEY_PREFIX: store.keys.prefix,
      PASSWRIGHT_MASTER_KEY: randomBytes(32).toString("base64"),
      PASSWRIGHT_OPERATOR: "the tests",
      ...given.env,
    },
  });
  await terminal.shows(/^\$/m);
  return { store, dead, terminal };
}

async function start(terminal: Terminal, flags = ""): Promise<void> {
  terminal.keys(`node bin/run.js dashboard --interval 500ms ${flags}; echo "left with $?"`, "Enter");
  await terminal.shows(/Append-only file/);
}

/** What the terminal's shell has begun. */
function processIn(terminal: Terminal): number {
  return Number(execFileSync("pgrep", ["-P", terminal.fact("pane_pid")], { encoding: "utf8" }));
}

/** The shell's own screen again, with cursor, echo and lines. */
async function isRestored(t: Test, terminal: Terminal): Promise<void> {
  t.equal(terminal.fact("alternate_on"), "0", "the screen from before");
  t.equal(terminal.fact("cursor_flag"), "1", "its cursor");
  terminal.keys("stty -a", "Enter");
  await terminal.shows(/ icanon/);
  t.match(terminal.screen(), / echo /, "what is typed is seen");
}

t.test("the tabs show what there is, at 80x24, at 200x60 and in between", async (t) => {
  const { terminal } = await opened(t);
  await start(terminal);
  t.equal(terminal.fact("alternate_on"), "1");
  t.match(terminal.screen(), /\[1 overview\].*6 tenants/);
  terminal.keys("5");
  await terminal.shows(/http_503 .*\n.*http_404|http_404 .*\n.*http_503/);
  terminal.keys("Enter");
  await terminal.shows(/replay +possible/);
  t.match(terminal.screen(), /1\. .*answered 404/, "the attempt and its answer");
  terminal.keys("Escape");
  terminal.resize(200, 60);
  terminal.keys("6");
  const wide = await terminal.shows(/Acme «Coffee» +active +5 /);
  t.match(wide, /[0-9a-f]{8}-[0-9a-f]{4}-7/, "there is room for whole ids");
  terminal.resize(80, 24);
  terminal.keys("Tab");
  await terminal.shows(/\[1 overview\]/);
  terminal.keys("q");
  await terminal.shows(/left with 0/);
  await isRestored(t, terminal);
});

t.test(
  "dead letters are replayed and purged after the dry run's number is typed, and that is recorded",
  async (t) => {
    const { store, dead, terminal } = await opened(t);
    const run = openCommands(t, store.keys.prefix);
    await start(terminal);
    terminal.keys("5");
    await terminal.shows(/1\/2/);
    terminal.keys("R");
    await terminal.shows(/A dry run finds 1\. They get another try/);
    t.equal((await dead.list(everything)).length, 2, "nothing has been done yet");
    terminal.keys("1", "Enter");
    await terminal.shows(/1 of 1 are in the queue again/);
    terminal.keys("Enter");
    await terminal.shows(/1\/1/);
    terminal.keys("F");
    await terminal.shows(/EVERY letter of all tenants/);
    terminal.keys("1", "Enter");
    await terminal.shows(/1 dead letters are gone/);
    t.strictSame(await dead.list(everything), []);
    terminal.keys("Enter", "q");
    await terminal.shows(/left with 0/);
    const { json } = await run("audit list", ["--action", "deadletter", "--json"]);
    const acts = json.map(({ who, action, result }: Record<string, string>) => `${who} ${action} ${result}`);
    t.strictSame(acts.sort(), [
      "the tests deadletter.purge done",
      "the tests deadletter.purge started",
      "the tests deadletter.replay done",
      "the tests deadletter.replay started",
    ]);
  },
);

t.test(
  "what others do is seen: a replay that another terminal has made, and the letters that are gone",
  async (t) => {
    const { store, terminal } = await opened(t);
    const run = openCommands(t, store.keys.prefix);
    await start(terminal);
    terminal.keys("5");
    await terminal.shows(/1\/2/);
    const replayed = await run("deadletter replay", ["--all-tenants", "--yes"]);
    t.equal(replayed.code, 0, replayed.stderr);
    await terminal.shows(/Latest replay +2 of 2, completed/);
    await terminal.shows(/No dead letters/);
  },
);

t.test("a replay that somebody else began is cancelled by C twice, and that is recorded", async (t) => {
  const { store, dead, terminal } = await opened(t);
  const run = openCommands(t, store.keys.prefix);
  const replayTasks = createReplayTaskStore(store, { clock: store.clock, holder: "elsewhere:1" });
  const plan = await planLetters(dead, everything, null);
  const begun = { plan, rate: null, replayLimit: null, by: "another" };
  const { task } = await startReplay({ ...store, replayTasks }, begun);
  await start(terminal);
  terminal.keys("5");
  await terminal.shows(/Latest replay +0 of 2/);
  terminal.keys("C");
  await terminal.shows(new RegExp(`CANCEL A REPLAY[\\s\\S]*${task.id} has dealt with 0 of 2`));
  t.equal((await replayTasks.find(task.id))?.status, "running", "nothing has been done yet");
  terminal.keys("C");
  await terminal.shows(/cancelled\.[\s\S]*0 of 2 had been put in the queue again/);
  terminal.keys("Enter");
  await terminal.shows(/Latest replay +0 of 2, cancelled/);
  t.match(await replayTasks.find(task.id), { status: "cancelled", cancelledBy: "the tests" });
  t.equal((await dead.list(everything)).length, 2, "the letters stay");
  const { json } = await run("audit list", ["--action", "deadletter.cancel", "--json"]);
  t.match(json, [{ who: "the tests", result: "done", target: { id: task.id } }]);
});

t.test("with --read-only nothing is changed, whatever is pressed", async (t) => {
  const { dead, terminal } = await opened(t);
  await start(terminal, "--read-only");
  terminal.keys("5");
  await terminal.shows(/1\/2/);
  terminal.keys("F");
  await terminal.shows(/Started with --read-only/);
  terminal.keys("2", "Enter");
  t.equal((await dead.list(everything)).length, 2);
});

t.test("without Redis the page is stale and stays, and recovers when Redis is back", async (t) => {
  const server = await startRedisServer(t, { appendonly: "yes" });
  const { terminal } = await opened(t, { server });
  await start(terminal);
  terminal.keys("5");
  await terminal.shows(/1\/2/);
  await server.crash();
  await terminal.shows(/STALE for/);
  t.match(terminal.screen(), /http_503/, "what was seen is still there");
  await server.start();
  await until("the page is fresh", () => !/STALE/.test(terminal.screen()));
  t.match(terminal.screen(), /1\/2/);
});

for (const signal of ["TERM", "INT", "HUP"]) {
  t.test(`the terminal is as before after SIG${signal}`, async (t) => {
    const { terminal } = await opened(t);
    await start(terminal);
    process.kill(processIn(terminal), `SIG${signal}`);
    await terminal.shows(/left with 0/);
    await isRestored(t, terminal);
  });
}

t.test("the terminal is as before after a crash, and the error stands on it", async (t) => {
  const folder = t.testdir({
    "crash.mjs": 'process.on("SIGUSR2", () => { throw new Error("planted"); });',
  });
  const { terminal } = await opened(t, { env: { NODE_OPTIONS: `--import=${folder}/crash.mjs` } });
  await start(terminal);
  process.kill(processIn(terminal), "SIGUSR2");
  await terminal.shows(/left with 1/);
  t.match(terminal.screen(), /Error: planted/);
  await isRestored(t, terminal);
});

t.test("ctrl-c leaves, too", async (t) => {
  const { terminal } = await opened(t);
  await start(terminal);
  terminal.keys("C-c");
  await terminal.shows(/left with 0/);
  await isRestored(t, terminal);
});

t.test("there are 16 colours, and with NO_COLOR none", async (t) => {
  const colors = /\u001b\[[0-9;]*\b(?:3[0-7]|38;[25])[;m]/;
  const colored = await opened(t, { env: { FORCE_COLOR: "1" } });
  await start(colored.terminal);
  t.match(colored.terminal.screen({ styled: true }), colors);
  t.notMatch(colored.terminal.screen({ styled: true }), /38;[25];/);
  const plain = await opened(t, { env: { FORCE_COLOR: "1", NO_COLOR: "1" } });
  await start(plain.terminal);
  t.notMatch(plain.terminal.screen({ styled: true }), colors);
});

t.test("without a terminal it says so", async (t) => {
  const run = openCommands(t);
  const { code, stderr } = await run("dashboard");
  t.equal(code, 2);
  t.match(stderr, /needs a terminal/);
});
