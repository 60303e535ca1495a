import type { Test } from "tap";
import type { TaskHandler } from "../../src/daemon/consumer.ts";
import { startWorker, type Worker } from "../../src/daemon/worker.ts";
import { type WorkQueue, workClasses } from "../../src/domain/jobs/work.ts";
import { createBell } from "../../src/redis/bell.ts";
import { createBreakers } from "../../src/redis/breakers.ts";
import { readableLog } from "./log.ts";
import { openOutbox } from "./outbox.ts";
import type { TestStore } from "./store.ts";
import { openQueue } from "./work.ts";

/**
 * A worker as `passwright worker` starts it, on a real queue with real bells over a connection of its own, by the
 * system's clock; what it does with a task is the test's. It is stopped with the test, if it was not before.
 */
export async function employ(
  t: Test,
  store: TestStore,
  given: {
    handlers: Partial<Record<"job" | "delivery", TaskHandler>>;
    concurrency?: number;
    leaseMs?: number;
    /** What the worker gets in place of the queue. */
    wrap?(queue: WorkQueue): WorkQueue;
  } & Pick<Parameters<typeof startWorker>[0], "observer" | "watch" | "classes">,
): Promise<Worker & { log: ReturnType<typeof readableLog> }> {
  const { keys } = store;
  const leaseMs = given.leaseMs ?? 15_000;
  const parts = await store.another();
  const queue = await openQueue(store, { leaseMs, through: parts });
  const [seconds] = await store.connection.time();
  const startAtMs = Number(seconds) * 1000;
  const open = () => store.connect({ blocking: true });
  const partitionOf = new Map(
    keys.allPartitions.flatMap((partition) =>
      workClasses.map((workClass) => [keys.bell(partition, workClass), partition] as const),
    ),
  );
  const queueBell = createBell({ open, streams: [...partitionOf.keys()], startAtMs });
  const outboxes = keys.allPartitions.map((partition) => keys.outbox(partition));
  const log = readableLog();
  const unexpected: TaskHandler = async (task) => {
    throw new Error(`the test expects no ${task.kind}`);
  };
  const worker = startWorker({
    ...given,
    queue: given.wrap?.(queue) ?? queue,
    outbox: openOutbox(store, { through: parts }),
    breakers: createBreakers(parts, { parkLimitMs: 24 * 3_600_000 }),
    handlers: { job: unexpected, delivery: unexpected, ...given.handlers },
    partitions: keys.allPartitions,
    workBell: {
      async wait(blockMs) {
        const rung = (await queueBell.wait(blockMs)).map((stream) => partitionOf.get(stream));
        return rung.filter((partition) => partition !== undefined);
      },
      close: () => queueBell.close(),
    },
    outboxBell: createBell({ open, streams: outboxes, startAtMs }),
    concurrency: given.concurrency ?? 10,
    leaseMs,
    nowMs: Date.now,
    log,
  });
  let stopped: Promise<void> | undefined;
  const stop = (timeoutMs: number): Promise<void> => {
    stopped ??= worker.stop(timeoutMs);
    return stopped;
  };
  t.teardown(() => stop(0));
  return { stop, log };
}
