import {
  type Concluded,
  type Task,
  type WorkClass,
  type WorkQueue,
  workClasses,
} from "../domain/jobs/work.ts";
import { unobserved, type WorkObserver } from "../domain/jobs/work-observer.ts";
import type { Log } from "../domain/log.ts";
import { type ClassHands, createClassHands } from "./class-hands.ts";
import { createReadyPartitions } from "./ready-partitions.ts";
import { createSlowReceivers } from "./slow-receivers.ts";
import { createSpareHands, eventLoopDelay } from "./spare-hands.ts";

export type TaskHandler = (
  task: Task,
  signal: AbortSignal,
  concluded?: Concluded,
) => Promise<Record<string, unknown>>;

export type Consumer = {
  /**
   * Takes as much work as there are free hands, of the partitions with news and of those that held more than could be taken
   * before, begins it, and answers how much that was. Deliveries to a slow receiver that has its share of the hands are put off.
   */
  runOnce(news: readonly number[]): Promise<number>;
  /** Resolves when another round may find something: at once, or when a hand becomes free. */
  mayGoOn(): Promise<void>;
  inHand(): Task[];
  /** Ends the attempt of a task whose lease was lost. */
  abandon(task: Task): void;
  /** Lets what was begun end within `timeoutMs`; what has not by then is given back, uncounted. Afterwards nothing is in hand. */
  drain(timeoutMs: number): Promise<void>;
};

/**
 * So much is taken at a time. What several rounds bring is begun one after the other: while the store is busy with what
 * one came to, the next is begun.
 */
const mostTaken = 50;

/** What an aborted attempt gets to give its work back by itself. */
const handBackMs = 200;

type Held = { task: Task; end: AbortController; done: Promise<void> };

export function createConsumer(deps: {
  queue: Pick<WorkQueue, "claim" | "handBack" | "postpone">;
  handlers: Record<Task["kind"], TaskHandler>;
  concurrency: number;
  /** What is taken; all where it is not said. */
  classes?: readonly WorkClass[];
  log: Log;
  observer?: WorkObserver;
}): Consumer {
  const { queue, handlers, concurrency, classes = workClasses, log, observer = unobserved } = deps;
  const held = new Map<Task, Held>();
  let nextRound = Promise.withResolvers<void>();
  let isAwaited = false;
  let draining = false;

  const least = Math.ceil(concurrency / 16);
  const everyGroup: ClassHands[] = [
    createClassHands({ workClass: "interactive", most: concurrency }),
    // Deliveries have many: theirs do little but wait for receivers.
    createClassHands({ workClass: "webhooks", ...spare(concurrency * 10, concurrency) }),
    createClassHands({ workClass: "bulk", ...spare(concurrency) }),
  ];
  const groups = everyGroup.filter(({ workClass }) => classes.includes(workClass));
  function spare(most: number, first = least) {
    return { most, allowed: createSpareHands({ least, most, first, delayMs: eventLoopDelay() }).allowed };
  }
  const ready = createReadyPartitions(classes);
  const takeTurn = createTurns();
  const isOpen = (workClass: WorkClass): boolean =>
    groups.some((group) => group.workClass === workClass && group.offer().count > 0);
  const slowReceivers = createSlowReceivers({ most: concurrency * 10 });

  function partitionsOf(workClass: WorkClass, tenants: readonly string[]): number[] {
    const theirs = [...held.values()].filter(
      ({ task }) => task.workClass === workClass && tenants.includes(task.tenantId),
    );
    return theirs.map(({ task }) => task.partition);
  }

  function begin(task: Task): void {
    const entry: Held = { task, end: new AbortController(), done: Promise.resolve() };
    held.set(task, entry);
    observer.begun(task);
    const receiver = receiverOf(task);
    let giveBack = [
      groups.find(({ workClass }) => workClass === task.workClass)?.begin(task),
      receiver === undefined ? undefined : slowReceivers.begin(receiver),
    ];
    const concluded: Concluded = () => {
      for (const give of giveBack) give?.();
      if (giveBack.length > 0) ready.wake(task.workClass);
      giveBack = [];
      lookForMore();
    };
    entry.done = work(task, entry.end, concluded).finally(concluded);
  }

  /** A hand is free, or a partition may hold more: whoever waits for that may go on. */
  function lookForMore(): void {
    if (isAwaited && ready.isAny(isOpen)) nextRound.resolve();
  }

  async function work(task: Task, end: AbortController, concluded: Concluded): Promise<void> {
    const startedAt = performance.now();
    let outcome = "interrupted";
    const facts = {
      [task.kind]: task.id,
      tenant: task.tenantId,
      lane: task.lane,
      attempt: task.attempt,
      trace_id: task.record.trace,
    };
    try {
      const report = await handlers[task.kind](task, end.signal, concluded);
      outcome = typeof report.outcome === "string" ? report.outcome : "ended";
      log.info({ ...facts, ...report, ms: elapsed(startedAt) }, `${task.kind}.attempted`);
    } catch (error) {
      if (end.signal.aborted && draining) {
        outcome = "handed_back";
        await queue.handBack([task]).catch(() => {});
        log.info({ ...facts, ms: elapsed(startedAt) }, `${task.kind}.handed_back`);
      } else {
        if (end.signal.aborted) outcome = "lost";
        // The lease is left to run out: whoever reclaims it tries again.
        log.warn({ ...facts, err: error, ms: elapsed(startedAt) }, `${task.kind}.interrupted`);
      }
    } finally {
      held.delete(task);
      observer.ended(task, outcome);
    }
  }

  return {
    async runOnce(news) {
      if (draining) return 0;
      // Who waited for this round waits no longer: a promise that outlives all who look at it would keep them.
      nextRound.resolve();
      nextRound = Promise.withResolvers();
      isAwaited = false;
      ready.ring(news);
      const reserved: (() => void)[] = [];
      const claims = groups.map(async ({ workClass, offer, reserve }) => {
        const { count: free, passOver } = offer();
        const count = Math.min(free, mostTaken);
        if (count === 0) return [];
        // Whoever has few is looked for wherever they may be.
        const { partitions, found, failed } = ready.look(workClass, passOver.length > 0);
        if (partitions.length === 0) return [];
        reserved.push(reserve(count));
        // Whoever is passed over has more where their work in hand comes from; it has to wait for a hand.
        const passed = partitionsOf(workClass, passOver);
        try {
          const more = new Set<number>();
          const tasks = await queue.claim(partitions, count, { classes: [workClass], passOver, left: more });
          found(more, passed);
          return tasks;
        } catch (error) {
          failed();
          throw error;
        }
      });
      // What was taken is begun even when another class could not be asked for: nobody else would before its lease ran out.
      const answers = await Promise.allSettled(claims);
      const tasks = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
      const pass = tasks.length > 0 ? await takeTurn() : undefined;
      const waits: Promise<void>[] = [];
      try {
        for (const release of reserved) release();
        if (draining) {
          // Claimed while the draining began: nothing of it is begun any more.
          await queue.handBack(tasks);
          return 0;
        }
        for (const task of tasks) {
          const receiver = receiverOf(task);
          const waitMs = receiver === undefined ? 0 : slowReceivers.waitMs(receiver);
          if (waitMs === 0) begin(task);
          else waits.push(queue.postpone(task, waitMs));
        }
      } finally {
        pass?.();
      }
      lookForMore();
      await Promise.all(waits);
      for (const answer of answers) if (answer.status === "rejected") throw answer.reason;
      return tasks.length - waits.length;
    },
    mayGoOn() {
      if (ready.isAny(isOpen)) return Promise.resolve();
      isAwaited = true;
      return nextRound.promise;
    },
    inHand: () => [...held.values()].map(({ task }) => task),
    abandon(task) {
      held.get(task)?.end.abort();
    },
    async drain(timeoutMs) {
      draining = true;
      await within(timeoutMs, [...held.values()]);
      for (const { end } of held.values()) end.abort();
      await within(handBackMs, [...held.values()]);
      // Deaf to its signal: the lease changes hands, so it can settle nothing when it comes back.
      await queue.handBack([...held.values()].map(({ task }) => task)).catch(() => {});
      held.clear();
    },
  };
}

/**
 * Turns that are taken one after the other, and passed on by a call: far enough apart that what came of one has been sent to
 * the store before the next begins.
 */
function createTurns(): () => Promise<() => void> {
  let free = Promise.resolve();
  return async () => {
    const mine = free;
    const next = Promise.withResolvers<void>();
    free = next.promise;
    await mine;
    return () => setImmediate(next.resolve);
  };
}

/** Waits until all have ended, and no longer than that. */
async function within(timeoutMs: number, tasks: readonly Held[]): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, timeoutMs);
  await Promise.race([Promise.all(tasks.map(({ done }) => done)), late.promise]);
  clearTimeout(timer);
}

/** Whom a delivery goes to. */
function receiverOf(task: Task): string | undefined {
  return task.record.webhook;
}

function elapsed(since: number): number {
  return Math.round((performance.now() - since) * 10) / 10;
}
