import type { StoreLayout } from "../../domain/doctor/ports.ts";
import { workClasses } from "../../domain/jobs/work.ts";
import { asUnavailable, type Connection } from "../connection.ts";
import { refusalOf } from "../installation.ts";
import { defaultPartitions } from "../partitions.ts";
import { allScripts } from "../scripts.ts";
import type { StoreParts } from "../store.ts";
import { consumerGroup } from "../task-names.ts";

/** Tenants that are looked for in each partition. */
const tenantsOfEach = 20;

/** As many as two digits can name: tenants may lie beyond what the store says today. */
const mostPartitions = 100;

export function createStoreLayout({
  connection,
  keys,
}: Pick<StoreParts, "connection" | "keys">): StoreLayout {
  return {
    async dataFormat() {
      const format = Number((await away(connection.hget(keys.meta, "format"))) ?? 1);
      return { format, refusal: refusalOf(format) };
    },

    partitions: () => storedPartitions(connection, keys.meta),

    async listedTenants() {
      const numbers = Array.from({ length: mostPartitions }, (_, partition) => partition);
      const lists = await away(
        Promise.all(
          numbers.map((partition) => connection.zrevrange(keys.tenants(partition), 0, tenantsOfEach - 1)),
        ),
      );
      const misplaced = lists.flatMap((ids, partition) =>
        ids.filter((id) => keys.partitionOf(id) !== partition),
      );
      const placed = lists.flat().filter((id) => !misplaced.includes(id));
      const records = await away(Promise.all(placed.map((id) => connection.exists(keys.tenant(id)))));
      const withoutRecord = placed.filter((_, index) => records[index] === 0);
      return { lookedAt: lists.flat().length, misplaced, withoutRecord };
    },

    async queuesWithoutGroup() {
      const queues = keys.allPartitions.flatMap((partition) =>
        workClasses.map((workClass) => keys.queue(partition, workClass)),
      );
      const present = await Promise.all(queues.map((queue) => hasGroup(connection, queue)));
      return { queues: queues.length, missing: queues.filter((_, index) => present[index] === false) };
    },

    async unloadableScripts() {
      const scripts = allScripts();
      const nodes = "nodes" in connection ? connection.nodes("master") : [connection];
      const refused: { name: string; reason: string }[] = [];
      for (const { name, text } of scripts) {
        for (const node of nodes) {
          try {
            await node.script("LOAD", text);
          } catch (error) {
            const known = asUnavailable(error);
            if (known !== error || !(error instanceof Error)) throw known;
            refused.push({ name, reason: error.message });
            break;
          }
        }
      }
      return { scripts: scripts.length, refused };
    },
  };
}

/** The number of partitions that the store was laid out with, as it stands there; null where it was not. */
export function storedPartitions(connection: Connection, meta: string): Promise<string | null> {
  return away(connection.hget(meta, "partitions"));
}

/** The partitions to look into: those of the store, or, where that makes no sense, those of a fresh one. */
export async function partitionsToLookInto(connection: Connection, meta: string): Promise<number> {
  // That Redis is away is for the checks to tell.
  const stored = await storedPartitions(connection, meta).catch(() => null);
  return stored !== null && /^[1-9]\d?$/.test(stored) ? Number(stored) : defaultPartitions;
}

async function hasGroup(connection: Connection, queue: string): Promise<boolean> {
  try {
    const groups = (await connection.xinfo("GROUPS", queue)) as unknown[][];
    return groups.some((facts) => facts[facts.indexOf("name") + 1] === consumerGroup);
  } catch (error) {
    if (error instanceof Error && /no such key/.test(error.message)) return false;
    throw asUnavailable(error);
  }
}

async function away<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    throw asUnavailable(error);
  }
}
