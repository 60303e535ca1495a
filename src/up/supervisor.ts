import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";

export type Part = {
  name: string;
  command: string;
  args: readonly string[];
  env: Record<string, string | undefined>;
  /** What has to be done before each start. */
  prepare?(): void;
  /** null: it writes where this process writes. */
  logFile: string | null;
  /** True: the part says over IPC when it works, and with what facts. Else `probe` tells. */
  reports: boolean;
  /** Resolves once a part that does not report works. */
  probe?(): Promise<void>;
  /** How long it may take to stop before it is killed. */
  stopMs: number;
  /** Sees every process that the part is carried out by, as it starts. */
  onStarted?(child: ChildProcess): void;
};

export type Running = {
  name: string;
  /** What the part said when it became ready for the first time. */
  facts: Record<string, string>;
  /** SIGTERM, and SIGKILL when its time is over. */
  stop(): Promise<void>;
};

const startMs = 20_000;
const longestPauseMs = 5000;
/** Who lived this long before it died gets a fast restart again. */
const settledMs = 10_000;

/**
 * Starts a part and starts it again whenever it dies, with growing pauses, until it is stopped. Rejects when it does
 * not come up the first time; its last words are in the log file.
 */
export async function supervise(part: Part, onEvent: (event: string) => void): Promise<Running> {
  let stopping = false;
  let ready = false;
  let child: ChildProcess;
  let pauseMs = 100;
  let restart: NodeJS.Timeout | undefined;
  const first = Promise.withResolvers<Record<string, string>>();

  const start = (): void => {
    part.prepare?.();
    const bornAt = performance.now();
    const log = part.logFile === null ? "inherit" : openSync(part.logFile, "a", 0o600);
    child = spawn(part.command, part.args, {
      env: part.env as NodeJS.ProcessEnv,
      // A group of its own: a terminal's Ctrl-C must reach the parts in our order, not all at once.
      detached: true,
      stdio: ["ignore", log, log, ...(part.reports ? (["ipc"] as const) : [])],
    });
    if (typeof log === "number") closeSync(log);
    part.onStarted?.(child);
    child.on("message", (message: { ready?: Record<string, string> }) => {
      if (message.ready !== undefined) first.resolve(message.ready);
    });
    if (part.probe !== undefined) part.probe().then(() => first.resolve({}), first.reject);
    const ended = (how: string): void => {
      if (stopping) return;
      if (!ready) {
        first.reject(new Error(`${part.name} ended at its start (${how})`));
        return;
      }
      if (performance.now() - bornAt > settledMs) pauseMs = 100;
      onEvent(`${part.name} died (${how}), starting it again`);
      restart = setTimeout(start, pauseMs);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    };
    // A program that cannot even be started has no exit.
    child.once("error", (error) => {
      if (!ready) first.reject(error);
      else if (child.pid === undefined) ended(error.message);
    });
    child.once("exit", (code, signal) => ended(signal ?? `exit ${code}`));
  };
  const running = {
    name: part.name,
    async stop(): Promise<void> {
      stopping = true;
      clearTimeout(restart);
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.kill("SIGTERM");
      const killing = setTimeout(() => child.kill("SIGKILL"), part.stopMs);
      await ended;
      clearTimeout(killing);
    },
  };

  start();
  const tooLate = setTimeout(() => {
    first.reject(new Error(`${part.name} is not ready after ${startMs / 1000} s`));
  }, startMs);
  try {
    const facts = await first.promise;
    ready = true;
    return { ...running, facts };
  } catch (error) {
    await running.stop();
    throw error;
  } finally {
    clearTimeout(tooLate);
  }
}
