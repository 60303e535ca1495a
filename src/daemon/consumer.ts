import type { Task, WorkQueue } from "../domain/jobs/work.ts";
import type { Log } from "../domain/log.ts";

export type TaskHandler = (task: Task, signal: AbortSignal) => Promise<Record<string, unknown>>;

export type Consumer = {
  /** Takes as much work as there are free hands, begins it, and answers how much that was. */
  runOnce(partitions: readonly number[]): Promise<number>;
  /** Resolves when a hand is free. */
  freeHand(): Promise<void>;
  inHand(): Task[];
  /** Ends the attempt of a task whose lease was lost. */
  abandon(task: Task): void;
  /** Lets what was begun end within `timeoutMs`; what has not by then is given back, uncounted. Afterwards nothing is in hand. */
  drain(timeoutMs: number): Promise<void>;
};

type Held = { task: Task; end: AbortController; done: Promise<void> };

export function createConsumer(deps: {
  queue: Pick<WorkQueue, "claim" | "handBack">;
  handlers: Record<Task["kind"], TaskHandler>;
  concurrency: number;
  log: Log;
}): Consumer {
  const { queue, handlers, concurrency, log } = deps;
  const held = new Map<string, Held>();
  let handFreed = Promise.withResolvers<void>();
  let draining = false;

  async function work(task: Task, end: AbortController): Promise<void> {
    const startedAt = performance.now();
    const facts = {
      [task.kind]: task.id,
      tenant: task.tenantId,
      lane: task.lane,
      attempt: task.attempt,
      trace_id: task.record.trace,
    };
    try {
      const report = await handlers[task.kind](task, end.signal);
      log.info({ ...facts, ...report, ms: elapsed(startedAt) }, `${task.kind}.attempted`);
    } catch (error) {
      if (end.signal.aborted && draining) {
        await queue.handBack([task]).catch(() => {});
        log.info({ ...facts, ms: elapsed(startedAt) }, `${task.kind}.handed_back`);
      } else {
        // The lease is left to run out: whoever reclaims it tries again.
        log.warn({ ...facts, err: error, ms: elapsed(startedAt) }, `${task.kind}.interrupted`);
      }
    } finally {
      held.delete(holdKey(task));
      handFreed.resolve();
      handFreed = Promise.withResolvers();
    }
  }

  return {
    async runOnce(partitions) {
      const free = concurrency - held.size;
      if (draining || free <= 0) return 0;
      const tasks = await queue.claim(partitions, free);
      for (const task of tasks) {
        const end = new AbortController();
        const entry: Held = { task, end, done: Promise.resolve() };
        held.set(holdKey(task), entry);
        entry.done = work(task, end);
      }
      return tasks.length;
    },
    async freeHand() {
      if (held.size >= concurrency) await handFreed.promise;
    },
    inHand: () => [...held.values()].map(({ task }) => task),
    abandon(task) {
      held.get(holdKey(task))?.end.abort();
    },
    async drain(timeoutMs) {
      draining = true;
      const everything = Promise.all([...held.values()].map(({ done }) => done));
      const timer = setTimeout(() => {
        for (const { end } of held.values()) end.abort();
      }, timeoutMs);
      await everything;
      clearTimeout(timer);
    },
  };
}

function holdKey(task: Task): string {
  return `${task.id} ${task.lane} ${task.lease}`;
}

function elapsed(since: number): number {
  return Math.round((performance.now() - since) * 10) / 10;
}
