import type { Log } from "../domain/log.ts";
import type { Held, TaskHolds, TaskOutcome } from "../domain/operator-tasks/held-task.ts";
import { runLoop } from "./loop.ts";

/** How often a worker looks for tasks that nobody does. */
const lookMs = 1000;

export type TaskDriver = {
  /** Takes every task that runs and that nobody holds; they are done beside each other. Answers when to look again. */
  runOnce(): Promise<number>;
  /** Resolves when all that are done here have ended. */
  settled(): Promise<void>;
  start(): void;
  /** Lets go of all tasks, which others go on with; resolves when that is done, or after `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>;
};

/** Does operators' tasks of a kind that nobody else does. Any number of workers may. */
export function createTaskDriver<Task extends { id: string }>(deps: {
  /** What the log calls such a task. */
  kind: "replay" | "resign";
  holds: Pick<TaskHolds<Task>, "running" | "take">;
  drive(held: Held<Task>, signal: AbortSignal): Promise<TaskOutcome>;
  /** What the log says of a task besides. */
  facts(task: Task): Record<string, unknown>;
  log: Log;
}): TaskDriver {
  const { kind, holds, log } = deps;
  const stopping = new AbortController();
  const driven = new Map<string, Promise<void>>();
  let loop: Promise<void> | undefined;

  async function drive(held: Held<Task>): Promise<void> {
    const { id } = held.task;
    log.info({ [kind]: id, ...deps.facts(held.task) }, `${kind}.taken_over`);
    try {
      const outcome = await deps.drive(held, stopping.signal);
      log.info({ [kind]: id, outcome }, `${kind}.driven`);
    } catch (error) {
      // The hold runs out, and the next look of some worker finds it.
      log.warn({ [kind]: id, err: error }, `${kind}.interrupted`);
    } finally {
      driven.delete(id);
    }
  }

  async function runOnce(): Promise<number> {
    for (const id of await holds.running()) {
      if (driven.has(id) || stopping.signal.aborted) continue;
      const held = await holds.take(id);
      if (held !== null) driven.set(id, drive(held));
    }
    return lookMs;
  }

  const settled = async (): Promise<void> => {
    await Promise.all(driven.values());
  };

  return {
    runOnce,
    settled,
    start() {
      loop = runLoop(`${kind}s`, runOnce, { log, signal: stopping.signal });
    },
    async stop(timeoutMs) {
      stopping.abort();
      const patience = Promise.withResolvers<void>();
      const timer = setTimeout(patience.resolve, timeoutMs);
      await Promise.race([loop?.then(settled), patience.promise]);
      clearTimeout(timer);
    },
  };
}
