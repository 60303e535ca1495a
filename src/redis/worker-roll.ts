import type { WorkerRoll } from "../domain/jobs/queue-look.ts";
import type { WorkTimes } from "../domain/jobs/work-times.ts";
import { asUnavailable } from "./connection.ts";
import type { StoreParts } from "./store.ts";

/** Who was silent for so long is on the roll no more. */
export const rollKeptMs = 3_600_000;

/** What a worker that is gone said of its work's times is kept as long as it is about. */
const timesKeptMs = 60_000;

/** Which workers there are: each writes down by itself that it is alive, as one that has nothing to do holds nothing. */
export function createWorkerRoll(
  { connection, keys }: Pick<StoreParts, "connection" | "keys">,
  { consumer, nowMs }: { consumer: string; nowMs(): number },
): WorkerRoll {
  return {
    async beat(times) {
      try {
        const now = nowMs();
        await Promise.all([
          connection.set(keys.workerTimes(consumer), timesText(times), "PX", timesKeptMs),
          connection.zadd(keys.workers, now, consumer),
          connection.zremrangebyscore(keys.workers, "-inf", now - rollKeptMs),
        ]);
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async leave() {
      try {
        await Promise.all([
          connection.zrem(keys.workers, consumer),
          connection.unlink(keys.workerTimes(consumer)),
        ]);
      } catch (error) {
        throw asUnavailable(error);
      }
    },
  };
}

/** Times as a worker's key keeps them: JSON, of most buckets nothing. */
function timesText(times: WorkTimes): string {
  return JSON.stringify(times);
}

/** Null of what is not there. */
export function timesFrom(text: string | null): WorkTimes | null {
  return text === null ? null : (JSON.parse(text) as WorkTimes);
}
