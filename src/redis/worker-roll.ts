import type { WorkerRoll } from "../domain/jobs/queue-look.ts";
import { asUnavailable } from "./connection.ts";
import type { StoreParts } from "./store.ts";

/** Who was silent for so long is on the roll no more. */
export const rollKeptMs = 3_600_000;

/** Which workers there are: each writes down by itself that it is alive, as one that has nothing to do holds nothing. */
export function createWorkerRoll(
  { connection, keys }: Pick<StoreParts, "connection" | "keys">,
  { consumer, nowMs }: { consumer: string; nowMs(): number },
): WorkerRoll {
  return {
    async beat() {
      try {
        const now = nowMs();
        await Promise.all([
          connection.zadd(keys.workers, now, consumer),
          connection.zremrangebyscore(keys.workers, "-inf", now - rollKeptMs),
        ]);
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async leave() {
      try {
        await connection.zrem(keys.workers, consumer);
      } catch (error) {
        throw asUnavailable(error);
      }
    },
  };
}
