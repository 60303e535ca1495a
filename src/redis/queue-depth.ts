import type { ClassDepth, QueueDepth, ReadQueueDepth } from "../domain/jobs/queue-depth.ts";
import { type WorkClass, workClasses } from "../domain/jobs/work.ts";
import type { StoreParts } from "./store.ts";

type PartitionDepth = [
  deadLetters: number,
  outbox: [events: number, oldestMs: number],
  ...classes: [ready: number, active: number, delayed: number, deadLetters: number, oldestReadyMs: number][],
];

/** Asks each partition once. Other partitions go on meanwhile, so the sum is of one short while, not of one instant. */
export function createQueueDepth({ keys, run }: Pick<StoreParts, "keys" | "run">): ReadQueueDepth {
  const depthOf = async (partition: number): Promise<PartitionDepth> => {
    const queues = workClasses.map((workClass) => keys.queue(partition, workClass));
    return (await run(
      "queue-depth",
      [keys.deadLetters(partition), keys.outbox(partition), ...queues],
      [keys.partition(partition), ...workClasses],
    )) as PartitionDepth;
  };
  return async () => {
    const none = (): ClassDepth => ({ ready: 0, active: 0, delayed: 0, deadLetters: 0, oldestReadyMs: 0 });
    const depth: QueueDepth = {
      classes: Object.fromEntries(workClasses.map((name) => [name, none()])) as Record<WorkClass, ClassDepth>,
      outbox: { events: 0, oldestMs: 0 },
      fullest: { waiting: 0, deadLetters: 0 },
    };
    const partitions = await Promise.all(keys.allPartitions.map(depthOf));
    for (const [allDeadLetters, [events, oldestMs], ...classes] of partitions) {
      depth.outbox.events += events;
      depth.outbox.oldestMs = Math.max(depth.outbox.oldestMs, oldestMs);
      let waiting = 0;
      for (const [index, [ready, active, delayed, deadLetters, oldestReadyMs]] of classes.entries()) {
        const sum = depth.classes[workClasses[index] as WorkClass];
        sum.ready += ready;
        sum.active += active;
        sum.delayed += delayed;
        sum.deadLetters += deadLetters;
        sum.oldestReadyMs = Math.max(sum.oldestReadyMs, oldestReadyMs);
        waiting += ready + delayed;
      }
      depth.fullest.waiting = Math.max(depth.fullest.waiting, waiting);
      depth.fullest.deadLetters = Math.max(depth.fullest.deadLetters, allDeadLetters);
    }
    return depth;
  };
}
