import type { DeadLetter, ReplayOutcome } from "../../src/domain/deadletters/dead-letter.ts";
import { type DeadLetterFilter, selectDeadLetters } from "../../src/domain/deadletters/select.ts";
import { createDeadLetterStore, placeOf } from "../../src/redis/dead-letters.ts";
import type { TestStore } from "./store.ts";
import type { openSubscriber } from "./webhooks.ts";
import { addJob, claimOf, failed, openQueue, settle } from "./work.ts";

export const everything: DeadLetterFilter = {
  tenantId: null,
  kind: null,
  endpoint: null,
  reason: null,
  sinceMs: 0,
  untilMs: Number.MAX_SAFE_INTEGER,
  limit: Number.POSITIVE_INFINITY,
  ids: null,
  after: null,
};

/** Dead letters as operators meet them, and ways to make some as workers do. */
export function openDeadLetters(store: TestStore) {
  const deadLetters = createDeadLetterStore(store, store.clock);
  return {
    deadLetters,
    select: (filter: Partial<DeadLetterFilter> = {}) =>
      selectDeadLetters({ deadLetters }, { ...everything, ...filter }),
    /** Replays one letter, for a task of its own. */
    async replay(letter: DeadLetter, limit: number | null = null): Promise<ReplayOutcome> {
      const taskId = store.ids.uuid();
      const count = store.keys.replayCount(placeOf(letter.id).partition, taskId);
      await store.run("open-task-count", [count], [1, 3600]);
      return deadLetters.replay(letter, { taskId, fence: 1, limit });
    },
    /** The letters that match, at this moment. */
    async list(filter: Partial<DeadLetterFilter> = {}) {
      const { letters } = await this.select(filter);
      return drain(letters());
    },
    /** Gives up one delivery to each webhook, with as many attempts as there are codes. */
    async killDelivery(subscriber: ReturnType<typeof openSubscriber>, statusCodes = [503]): Promise<void> {
      await subscriber.fire("pass.created");
      for (const [index, statusCode] of statusCodes.entries()) {
        for (const task of await subscriber.take())
          await fail(task, statusCode, index + 1 === statusCodes.length);
      }
      async function fail(
        task: Parameters<typeof subscriber.deliveries.settle>[0],
        statusCode: number,
        last: boolean,
      ) {
        const attempt = {
          number: task.attempt,
          atMs: store.clock.nowMs(),
          statusCode,
          durationMs: 12,
          error: `answered ${statusCode}`,
        };
        const failure = { code: `http_${statusCode}`, description: attempt.error };
        await subscriber.deliveries.settle(task, attempt, {
          dueAtMs: last ? null : store.clock.nowMs(),
          failure,
        });
      }
    },
    /** Gives up a job of a tenant whose pass is gone; answers its id. */
    async killJob(tenantId: string, reason = "provider_unavailable"): Promise<string> {
      const id = await addJob(store, { tenantId });
      const queue = await openQueue(store);
      const partition = store.keys.partitionOf(tenantId);
      for (const task of await claimOf(queue, { tenantId, partition })) {
        await settle(store, task, failed(reason, { bury: true }));
      }
      return id;
    },
  };
}

/** All that a generator has left. */
export async function drain<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
