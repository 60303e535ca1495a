import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { type Part, type Running, supervise } from "../../src/up/supervisor.ts";
import { until } from "../support/until.ts";

const root = t.testdir();
let made = 0;

/** A part that is a script of node, with what the supervisor said of it. */
function part(script: string, other: Partial<Part> = {}) {
  made += 1;
  const file = join(root, `part-${made}.cjs`);
  const logFile = join(root, `part-${made}.log`);
  writeFileSync(file, script);
  const events: string[] = [];
  const start = (t: Test): Promise<Running> => {
    const running = supervise(
      {
        name: "part",
        command: process.execPath,
        args: [file],
        env: {},
        logFile,
        reports: true,
        stopMs: 5000,
        ...other,
      },
      (event) => events.push(event),
    );
    t.teardown(async () => (await running.catch(() => null))?.stop());
    return running;
  };
  return { start, events, logFile, log: () => readFileSync(logFile, "utf8") };
}
const ready = `process.send({ ready: { pid: String(process.pid) } }); setInterval(() => {}, 1000);
console.log("up " + process.pid);`;
const pidsIn = (log: string): number[] => [...log.matchAll(/^up (\d+)$/gm)].map((match) => Number(match[1]));
/** Whether a process is there: signal 0 asks. */
function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

t.test("a part is up when it says so, with its facts, and its words are in the log", async (t) => {
  const { start, events, logFile, log } = part(ready);
  const running = await start(t);
  t.equal(running.name, "part");
  const pid = Number(running.facts.pid);
  t.ok(lives(pid));
  await until("its words are in the log", () => log().includes(`up ${pid}`));
  t.equal((statSync(logFile).mode & 0o777).toString(8), "600");
  await running.stop();
  t.notOk(lives(pid));
  t.strictSame(events, []);
});

t.test("a part that does not report is up when its probe says so", async (t) => {
  let asked = 0;
  const { start } = part("setInterval(() => {}, 1000)", {
    reports: false,
    probe: async () => {
      asked += 1;
    },
  });
  t.strictSame((await start(t)).facts, {});
  t.equal(asked, 1);
});

t.test("a part that dies is started again, each time, until it is stopped", async (t) => {
  const { start, events, log } = part(ready);
  const running = await start(t);
  for (const times of [1, 2]) {
    const pid = await until("it is up", () => pidsIn(log())[times - 1]);
    process.kill(pid, "SIGKILL");
    await until("another is up", () => pidsIn(log()).length > times);
    t.strictSame(events.length, times);
    t.match(events.at(-1), "part died (SIGKILL), starting it again");
  }
  await running.stop();
  const pids = pidsIn(log());
  t.equal(pids.length, 3);
  t.notOk(pids.some(lives));
  t.equal(events.length, 2, "a part that was stopped did not die");
});

t.test("a part that ends at its first start is given up, with the reason", async (t) => {
  const { start, log } = part('console.error("no such table"); process.exit(3)');
  await t.rejects(start(t), { message: "part ended at its start (exit 3)" });
  t.match(log(), "no such table");
  const killed = part('process.kill(process.pid, "SIGKILL")');
  await t.rejects(killed.start(t), { message: "part ended at its start (SIGKILL)" });
  const missing = part("", { command: join(root, "no-such-program") });
  await t.rejects(missing.start(t), { code: "ENOENT" });
});

t.test("a part that is given up is not announced to be started again", async (t) => {
  const { start, events } = part("process.exit(3)");
  await t.rejects(start(t));
  t.strictSame(events, []);
});

t.test("a probe that fails ends the part at its first start", async (t) => {
  const { start, log } = part('console.log("up " + process.pid); setInterval(() => {}, 1000)', {
    reports: false,
    probe: async () => {
      await until("it runs", () => pidsIn(log())[0]);
      throw new Error("does not answer");
    },
  });
  await t.rejects(start(t), { message: "does not answer" });
  t.notOk(pidsIn(log()).some(lives));
});

t.test("a part may end in order, and one that will not is killed when its time is over", async (t) => {
  const orderly = part(`process.on("SIGTERM", () => { console.log("in order"); process.exit(0); });${ready}`);
  await (await orderly.start(t)).stop();
  t.match(orderly.log(), "in order");

  const stubborn = part(`process.on("SIGTERM", () => console.log("not now"));${ready}`, { stopMs: 100 });
  const running = await stubborn.start(t);
  await running.stop();
  t.notOk(lives(Number(running.facts.pid)));
  t.match(stubborn.log(), "not now", "it was asked first");
});

t.test("a part is not in the group of the terminal, whose Ctrl-C would reach all at once", async (t) => {
  const { start } = part(ready);
  const { facts } = await start(t);
  const stat = readFileSync(`/proc/${facts.pid}/stat`, "utf8");
  const group = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2];
  t.equal(group, facts.pid, "it leads a group of its own");
});

t.test("stopped twice, and stopped while it waits to be started again, it is stopped", async (t) => {
  const { start, events, log } = part(ready);
  const running = await start(t);
  process.kill(Number(running.facts.pid), "SIGKILL");
  await until("the death was noticed", () => events.length === 1);
  await Promise.all([running.stop(), running.stop()]);
  t.equal(pidsIn(log()).filter(lives).length, 0);
});
