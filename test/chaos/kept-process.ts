import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, closeSync, openSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

export type ProcessWish = {
  name: string;
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  /** What has to be done before each start. */
  prepare?(): void;
  /** Where its words go. */
  logFile: string;
  /** What it prints when it works; without, it says so over IPC, as `passwright` does to a supervisor. */
  readyLine?: RegExp;
};

/** A process that is started again whenever it ends, until it is stopped. */
export type KeptProcess = {
  name: string;
  /** What it said of itself when it first became ready. */
  facts: Record<string, string>;
  /** Of the present life; undefined while there is none. */
  pid(): number | undefined;
  isReady(): boolean;
  /** SIGKILL; resolves when the next life is ready. */
  crash(): Promise<void>;
  /** SIGSTOP, until `resume`. */
  freeze(): void;
  resume(): void;
  /** Ends that nobody here brought about, once it had been ready; and starts that came to nothing. */
  ownEnds(): string[];
  stop(): Promise<void>;
};

/** A start takes a second or two; on a machine that is very busy, many. */
const startWithinMs = 60_000;

export async function keepRunning(wish: ProcessWish): Promise<KeptProcess> {
  const ends: string[] = [];
  let child: ChildProcess | undefined;
  let ready = Promise.withResolvers<void>();
  let isReady = false;
  let stopping = false;
  let killed = false;
  let facts: Record<string, string> = {};

  const start = (): void => {
    wish.prepare?.();
    const log = openSync(wish.logFile, "a");
    const born = spawn(wish.command, wish.args, {
      env: wish.env ?? process.env,
      stdio: ["ignore", wish.readyLine ? "pipe" : log, log, ...(wish.readyLine ? [] : (["ipc"] as const))],
    });
    closeSync(log);
    child = born;
    const guard = endWithUs(born.pid ?? 0);
    const nowReady = (said: Record<string, string>): void => {
      facts = said;
      isReady = true;
      ready.resolve();
    };
    born.on("message", (message: { ready?: Record<string, string> }) => {
      if (message.ready !== undefined) nowReady(message.ready);
    });
    born.stdout?.setEncoding("utf8").on("data", (text: string) => {
      appendFileSync(wish.logFile, text);
      if (wish.readyLine?.test(text)) nowReady({});
    });
    born.once("exit", async (code, signal) => {
      guard.kill();
      if (isReady && !killed && !stopping) ends.push(`${wish.name} ended by itself: ${signal ?? code}`);
      if (isReady) ready = Promise.withResolvers();
      child = undefined;
      isReady = false;
      killed = false;
      // Whoever starts while Redis is away says so and ends, and is started again, as a service manager would do it.
      if (code !== null) await pause(200);
      if (!stopping) start();
    });
  };

  /** Resolves when it works; or when it has not in a minute, which is put down as an end of its own. */
  const untilReady = async (): Promise<void> => {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      ends.push(`${wish.name} did not come up within a minute; see ${wish.logFile}`);
      late.resolve();
    }, startWithinMs);
    await Promise.race([ready.promise, late.promise]);
    clearTimeout(timer);
  };

  start();
  await untilReady();
  if (!isReady) {
    stopping = true;
    child?.kill("SIGKILL");
    throw new Error(ends.join());
  }
  return {
    name: wish.name,
    facts,
    pid: () => child?.pid,
    isReady: () => isReady,
    async crash() {
      const victim = child;
      if (victim !== undefined) {
        killed = true;
        const gone = once(victim, "exit");
        victim.kill("SIGKILL");
        await gone;
      }
      await untilReady();
    },
    freeze: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
    ownEnds: () => ends,
    async stop() {
      stopping = true;
      const last = child;
      if (last === undefined) return;
      const gone = once(last, "exit");
      last.kill("SIGTERM");
      last.kill("SIGCONT");
      const late = setTimeout(() => last.kill("SIGKILL"), 10_000);
      await gone;
      clearTimeout(late);
    },
  };
}

/** Ends the process, even a frozen one, when ours ends without a word: its pipe to us closes then. */
function endWithUs(pid: number): ChildProcess {
  const script = 'read -r _; kill -9 "$1"';
  return spawn("/bin/sh", ["-c", script, "chaos-guard", String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
}
