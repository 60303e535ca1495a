import type { ChildProcess } from "node:child_process";
import { type Running, supervise } from "./supervisor.ts";

/** Several processes that do the same, numbered from 1. */
export type Processes = {
  /** Those that do their work at this moment. */
  ready(): number;
  /** How often one has ended without being told to. */
  deaths(): number;
  /** What each that answers in time has to say of itself, in Prometheus's text. */
  metrics(): Promise<{ process: number; text: string }[]>;
  /** Tells all of them to stop, and resolves when they have. */
  stop(): Promise<void>;
};

export type ProcessesOptions = {
  name: string;
  count: number;
  command: string;
  /** The command line of the process with this number. */
  argsOf(number: number): readonly string[];
  env: Record<string, string | undefined>;
  /** How long each may take to stop before it is killed. */
  stopMs: number;
  onDied(facts: { process: number; code: number | null; signal: string | null }): void;
};

/** Who asks for metrics gives up after some ten seconds, and those of the others must not be late. */
const metricsPatienceMs = 3000;

/**
 * Starts the processes and keeps them running, each with a growing pause when it dies again and again. The first one
 * goes ahead, so that what is wrong at the start is told once. Rejects when one does not come up the first time.
 */
export async function startProcesses(options: ProcessesOptions): Promise<Processes> {
  const children = new Map<number, ChildProcess>();
  const ready = new Set<number>();
  const running: Running[] = [];
  let deaths = 0;
  let asked = 0;
  let stopping = false;

  const start = async (number: number): Promise<void> => {
    const part = await supervise(
      {
        name: `${options.name} process ${number}`,
        command: options.command,
        args: options.argsOf(number),
        env: options.env,
        logFile: null,
        reports: true,
        stopMs: options.stopMs,
        onStarted(child) {
          children.set(number, child);
          child.on("message", (message: object) => "ready" in message && ready.add(number));
          child.once("exit", (code, signal) => {
            const wasReady = ready.delete(number);
            if (stopping || !(wasReady || running.length === options.count)) return;
            deaths += 1;
            options.onDied({ process: number, code, signal });
          });
        },
      },
      () => {},
    );
    running.push(part);
  };
  const stop = async (): Promise<void> => {
    stopping = true;
    await Promise.all(running.map((part) => part.stop()));
  };

  try {
    await start(1);
    const others = Array.from({ length: options.count - 1 }, (_, index) => start(index + 2));
    const failed = (await Promise.allSettled(others)).find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  } catch (error) {
    await stop();
    throw error;
  }

  return {
    ready: () => ready.size,
    deaths: () => deaths,
    stop,
    async metrics() {
      asked += 1;
      const ask = asked;
      const answers = [...children].map(async ([process, child]) => {
        const text = ready.has(process) ? await metricsOf(child, ask) : null;
        return text === null ? [] : [{ process, text }];
      });
      return (await Promise.all(answers)).flat();
    },
  };
}

/** Null when the process ends, or says nothing in time. */
function metricsOf(child: ChildProcess, ask: number): Promise<string | null> {
  return new Promise((resolve) => {
    const settle = (text: string | null): void => {
      clearTimeout(late);
      child.off("message", hear).off("exit", gone);
      resolve(text);
    };
    const hear = (message: { metrics?: number; text?: string }): void => {
      if (message.metrics === ask) settle(message.text ?? null);
    };
    const gone = (): void => settle(null);
    const late = setTimeout(gone, metricsPatienceMs);
    child.on("message", hear).once("exit", gone);
    child.send({ metrics: ask }, (error) => error !== null && gone());
  });
}
