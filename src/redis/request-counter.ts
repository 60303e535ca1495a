import type { RequestCounter } from "../domain/tenants/request-rate.ts";
import { asUnavailable } from "./connection.ts";
import type { StoreParts } from "./store.ts";

/** The minute of an instant, counted from 1970. */
export function minuteOf(ms: number): number {
  return Math.floor(ms / 60_000);
}

/** The minute that is counted and the one before it are of interest. */
const keptSeconds = 180;

/** Notes requests in memory, and writes each tenant's number as one command, however many there were. */
export function createRequestCounter(
  { connection, keys }: Pick<StoreParts, "connection" | "keys">,
  clock: { nowMs(): number },
): RequestCounter {
  let noted = new Map<string, number>();

  return {
    count(tenantId) {
      noted.set(tenantId, (noted.get(tenantId) ?? 0) + 1);
    },

    async write() {
      if (noted.size === 0) return;
      const counts = noted;
      noted = new Map();
      const minute = minuteOf(clock.nowMs());
      const hashes = new Set<string>();
      const writes: Promise<number>[] = [];
      for (const [tenantId, count] of counts) {
        const hash = keys.requests(keys.partitionOf(tenantId), minute);
        writes.push(connection.hincrby(hash, tenantId, count));
        hashes.add(hash);
      }
      for (const hash of hashes) writes.push(connection.expire(hash, keptSeconds));
      try {
        await Promise.all(writes);
      } catch (error) {
        throw asUnavailable(error);
      }
    },
  };
}
