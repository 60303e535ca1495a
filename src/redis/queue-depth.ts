import type { ClassDepth, QueueDepth, ReadQueueDepth } from "../domain/jobs/queue-depth.ts";
import { type WorkClass, workClasses } from "../domain/jobs/work.ts";
import type { StoreParts } from "./store.ts";

type PartitionDepth = [
  delayed: number,
  deadLetters: number,
  outbox: [events: number, oldestMs: number],
  ...classes: [ready: number, active: number, oldestReadyMs: number][],
];

/** Asks each partition once. Other partitions go on meanwhile, so the sum is of one short while, not of one instant. */
export function createQueueDepth({ keys, run }: Pick<StoreParts, "keys" | "run">): ReadQueueDepth {
  const depthOf = async (partition: number): Promise<PartitionDepth> => {
    const queues = workClasses.map((workClass) => keys.queue(partition, workClass));
    const others = [keys.retry(partition), keys.deadLetters(partition), keys.outbox(partition)];
    return (await run("queue-depth", [...others, ...queues], [keys.partition(partition)])) as PartitionDepth;
  };
  return async () => {
    const none = (): ClassDepth => ({ ready: 0, active: 0, oldestReadyMs: 0 });
    const depth: QueueDepth = {
      classes: Object.fromEntries(workClasses.map((name) => [name, none()])) as Record<WorkClass, ClassDepth>,
      delayed: 0,
      deadLetters: 0,
      fullest: { waiting: 0, deadLetters: 0 },
      outbox: { events: 0, oldestMs: 0 },
    };
    for (const [delayed, dead, [events, oldestMs], ...classes] of await Promise.all(
      keys.allPartitions.map(depthOf),
    )) {
      depth.delayed += delayed;
      depth.deadLetters += dead;
      const waiting = classes.reduce((sum, [ready]) => sum + ready, delayed);
      depth.fullest.waiting = Math.max(depth.fullest.waiting, waiting);
      depth.fullest.deadLetters = Math.max(depth.fullest.deadLetters, dead);
      depth.outbox.events += events;
      depth.outbox.oldestMs = Math.max(depth.outbox.oldestMs, oldestMs);
      for (const [index, [ready, active, oldestReadyMs]] of classes.entries()) {
        const sum = depth.classes[workClasses[index] as WorkClass];
        sum.ready += ready;
        sum.active += active;
        sum.oldestReadyMs = Math.max(sum.oldestReadyMs, oldestReadyMs);
      }
    }
    return depth;
  };
}
