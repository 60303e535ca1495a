import type { Orphans } from "../../domain/doctor/ports.ts";
import { asUnavailable } from "../connection.ts";
import type { StoreParts } from "../store.ts";

const defaults = { mostKeys: 2_000_000, stepSize: 1000 };

/** Looks at the keys of all partitions, so many at most, a step at a time. */
export function createOrphans(
  { connection, keys }: Pick<StoreParts, "connection" | "keys">,
  { mostKeys, stepSize } = defaults,
): Orphans {
  const shape = new RegExp(`^${keys.prefix}:\\{p(\\d\\d)\\}:(?:([0-9a-f-]{36}):)?`);
  return {
    async find() {
      const known = new Map<string, boolean>();
      const ofTenants = new Map<string, number>();
      let [lookedAt, ofPartitions, isComplete] = [0, 0, true];
      const isThere = async (tenantId: string): Promise<boolean> => {
        const seen = known.get(tenantId);
        if (seen !== undefined) return seen;
        const found = (await connection.exists(keys.tenant(tenantId))) === 1;
        known.set(tenantId, found);
        return found;
      };
      try {
        for (const node of "nodes" in connection ? connection.nodes("master") : [connection]) {
          let cursor = "0";
          do {
            const [next, found] = await node.scan(cursor, "MATCH", `${keys.prefix}:{p*`, "COUNT", stepSize);
            for (const key of found) {
              const [, partition, tenantId] = shape.exec(key) ?? [];
              if (partition === undefined) continue;
              lookedAt += 1;
              if (Number(partition) >= keys.partitions) ofPartitions += 1;
              else if (tenantId !== undefined && !(await isThere(tenantId))) {
                ofTenants.set(tenantId, (ofTenants.get(tenantId) ?? 0) + 1);
              }
            }
            cursor = next;
            if (lookedAt >= mostKeys && cursor !== "0") isComplete = false;
          } while (cursor !== "0" && isComplete);
          if (!isComplete) break;
        }
      } catch (error) {
        throw asUnavailable(error);
      }
      return { lookedAt, isComplete, ofTenants, ofPartitions };
    },
  };
}
