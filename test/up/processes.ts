import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { type Processes, type ProcessesOptions, startProcesses } from "../../src/up/processes.ts";
import { until } from "../support/until.ts";

const folder = t.testdir();
let written = 0;

const answering = `
process.on("message", ({ metrics }) => process.send({ metrics, text: String(process.pid) }));
process.send({ ready: {} });
setInterval(() => {}, 1000);`;

/** So many processes of a script, which are stopped with the test. */
async function start(t: Test, script: string, more: Partial<ProcessesOptions> = {}) {
  const file = join(folder, `${++written}.cjs`);
  writeFileSync(file, script);
  const died: object[] = [];
  const starting = startProcesses({
    name: "part",
    count: 3,
    command: process.execPath,
    argsOf: (number) => [file, String(number)],
    env: {},
    stopMs: 5000,
    onDied: (facts) => died.push(facts),
    ...more,
  });
  t.teardown(async () => (await starting.catch(() => null))?.stop());
  return { processes: await starting, died };
}

/** The process ids by number, as each tells them. */
async function pidsOf(processes: Processes): Promise<Record<number, number>> {
  const told = await processes.metrics();
  return Object.fromEntries(told.map(({ process, text }) => [process, Number(text)]));
}

t.test("all are up when it is said, and each tells of itself", async (t) => {
  const { processes, died } = await start(t, answering);
  t.equal(processes.ready(), 3);
  const pids = await pidsOf(processes);
  t.strictSame(Object.keys(pids), ["1", "2", "3"]);
  t.equal(new Set(Object.values(pids)).size, 3);
  await processes.stop();
  t.equal(processes.ready(), 0);
  t.strictSame(await processes.metrics(), []);
  t.strictSame(died, [], "who was told to stop did not die");
});

t.test("one that dies is missed, named, and comes back under its number", async (t) => {
  const { processes, died } = await start(t, answering);
  const before = await pidsOf(processes);
  process.kill(before[2] ?? 0, "SIGKILL");
  await until("its death is noticed", () => processes.deaths() === 1);
  t.strictSame(died, [{ process: 2, code: null, signal: "SIGKILL" }]);
  await until("all answer again", () => processes.ready() === 3);
  const after = await pidsOf(processes);
  t.match(after, { 1: before[1], 3: before[3] });
  t.not(after[2], before[2]);
});

t.test("what is wrong with all of them is told by the first, and nothing is left", async (t) => {
  const others = join(folder, "others");
  const script = `require("node:fs").appendFileSync(${JSON.stringify(others)}, "x"); process.exit(3);`;
  await t.rejects(start(t, script), { message: "part process 1 ended at its start (exit 3)" });
  t.equal(readFileSync(others, "utf8"), "x", "the others were not even tried");
});

t.test("one that does not come up takes the others down with it", async (t) => {
  const pids = join(folder, "pids");
  const script = `if (process.argv[2] === "3") process.exit(1);
require("node:fs").appendFileSync(${JSON.stringify(pids)}, process.pid + "\\n");${answering}`;
  await t.rejects(start(t, script), { message: "part process 3 ended at its start (exit 1)" });
  for (const pid of readFileSync(pids, "utf8").trim().split("\n")) {
    t.throws(() => process.kill(Number(pid), 0), { code: "ESRCH" });
  }
});

t.test("one that hangs is left out of the metrics, and the others are not", async (t) => {
  const script = answering.replace("({ metrics }) =>", '({ metrics }) => process.argv[2] === "1" ||');
  const { processes } = await start(t, script);
  t.strictSame(Object.keys(await pidsOf(processes)), ["2", "3"]);
});
