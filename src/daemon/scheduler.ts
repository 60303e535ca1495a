import { type ScheduledTask as CronTask, createTask } from "node-cron";
import type { Log } from "../domain/log.ts";
import type { Turn, Turns } from "../domain/turns.ts";

/** Something that is done at fixed times, by one process at a time. */
export type ScheduledTask = {
  name: string;
  /** Five fields, minutes first, in UTC. */
  cron: string;
  /** Answers what it did, in numbers. `signal` aborts when it should end early; what is left waits for the next run. */
  run(signal: AbortSignal): Promise<Record<string, number>>;
};

/** ran; failed, which is logged; taken by another process; or the run before, here or there, still goes on (busy). */
export type RunOutcome = "ran" | "failed" | "taken" | "busy";

export type Scheduler = {
  /** One run of a task that is due at an instant, if it is this process's turn. */
  runOnce(task: ScheduledTask, dueAtMs: number): Promise<RunOutcome>;
  /** From now on every task runs when its time has come. */
  start(): void;
  /** Begins nothing more; resolves when what runs has ended, or after `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>;
};

/** Runs tasks in every worker, and each due run in only one of them. */
export function createScheduler(deps: {
  tasks: readonly ScheduledTask[];
  turns: Turns;
  log: Log;
}): Scheduler {
  const { tasks, turns, log } = deps;
  const running = new Map<string, Promise<RunOutcome>>();
  const stopping = new AbortController();
  let crons: CronTask[] = [];

  async function attempt(task: ScheduledTask, dueAtMs: number): Promise<RunOutcome> {
    const startedAt = performance.now();
    let turn: Turn | null = null;
    try {
      turn = await turns.take(task.name, dueAtMs);
      if (turn === null) return "taken";
      const facts = await whileHeld(turn, task);
      const ms = Math.round(performance.now() - startedAt);
      // What had nothing to do says nothing.
      const level = Object.values(facts).some((count) => count > 0) ? "info" : "debug";
      log[level]({ task: task.name, ...facts, ms }, "task.finished");
      return "ran";
    } catch (error) {
      log.warn({ task: task.name, err: error }, "task.failed");
      return "failed";
    } finally {
      // A turn that cannot be given back ends by itself.
      await turn?.end().catch(() => {});
    }
  }

  /** Renews the turn for as long as the task runs; a task that has lost it is told to end. */
  async function whileHeld(turn: Turn, task: ScheduledTask): Promise<Record<string, number>> {
    const lost = new AbortController();
    const renewal = setInterval(() => {
      turn.renew().then(
        (held) => {
          if (!held) lost.abort();
        },
        () => {},
      );
    }, turns.leaseMs / 3);
    try {
      return await task.run(AbortSignal.any([stopping.signal, lost.signal]));
    } finally {
      clearInterval(renewal);
    }
  }

  async function runOnce(task: ScheduledTask, dueAtMs: number): Promise<RunOutcome> {
    if (running.has(task.name) || stopping.signal.aborted) return "busy";
    const run = attempt(task, dueAtMs);
    running.set(task.name, run);
    try {
      return await run;
    } finally {
      running.delete(task.name);
    }
  }

  return {
    runOnce,
    start() {
      crons = tasks.map((task) => {
        const cron = createTask(task.cron, ({ date }) => runOnce(task, dueInstant(date)), {
          name: task.name,
          timezone: "Etc/UTC",
          logger: silent,
          unref: true,
        });
        // A busy event loop may have missed the instant: the run is late then, not left out.
        cron.on("execution:missed", ({ date }) => {
          void runOnce(task, dueInstant(date));
        });
        void cron.start();
        return cron;
      });
    },
    async stop(timeoutMs) {
      for (const cron of crons) await cron.destroy();
      stopping.abort();
      const patience = Promise.withResolvers<void>();
      const timer = setTimeout(patience.resolve, timeoutMs);
      await Promise.race([Promise.all(running.values()), patience.promise]);
      clearTimeout(timer);
    },
  };
}

/** Crons count whole seconds: the same instant in every process. */
function dueInstant(date: Date): number {
  return Math.floor(date.getTime() / 1000) * 1000;
}

/** What the library would say goes to the console, past our log; failures are logged where they are caught. */
const silent = { info() {}, warn() {}, error() {}, debug() {} };
