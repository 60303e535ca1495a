import { knownAgainst } from "../domain/doctor/redis-releases.ts";
import { PasswrightError } from "../domain/errors.ts";
import { asUnavailable, type Connection } from "./connection.ts";
import { defaultPartitions } from "./partitions.ts";

export type Installation = { partitions: number; warnings: string[] };

/**
 * Reads how this store is laid out, laying a fresh one out first, and refuses a Redis that would lose data.
 * The number of partitions is decided once: records are found by it.
 */
export async function openInstallation(connection: Connection, prefix: string): Promise<Installation> {
  try {
    const meta = `${prefix}:meta`;
    const read = () => connection.hget(meta, "partitions");
    // Written only where it is missing: who may only read can look at everything.
    let partitions = await read();
    if (partitions === null) {
      await connection.hsetnx(meta, "partitions", defaultPartitions);
      partitions = await read();
    }
    return { partitions: Number(partitions), warnings: await redisWarnings(connection) };
  } catch (error) {
    throw asUnavailable(error);
  }
}

async function redisWarnings(connection: Connection): Promise<string[]> {
  const info = await connection.info();
  const fact = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1];
  const version = fact("redis_version") ?? "0";
  const known = knownAgainst("Redis", version);
  if (known?.isTooOld) throw new PasswrightError("invalid_configuration", `${known.trouble}.`);
  const policy = fact("maxmemory_policy") ?? "noeviction";
  if (policy !== "noeviction" && fact("maxmemory") !== "0") {
    throw new PasswrightError(
      "invalid_configuration",
      `Redis may evict keys (maxmemory-policy ${policy}), and with them passes and jobs. Set it to noeviction.`,
    );
  }
  return fact("aof_enabled") === "1"
    ? []
    : [
        "Redis keeps no append-only file: what was accepted since the last snapshot is lost when it restarts.",
      ];
}
