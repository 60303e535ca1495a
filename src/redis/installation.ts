import { knownAgainst } from "../domain/doctor/redis-releases.ts";
import { PasswrightError } from "../domain/errors.ts";
import { asUnavailable, type Connection } from "./connection.ts";
import { defaultPartitions } from "./partitions.ts";
import { scriptText } from "./scripts.ts";

export type Installation = { partitions: number; warnings: string[] };

/** Formats of the data in the store, counted from 1. A release may read newer ones than it writes, so that the next one may write them. */
export type DataFormats = { oldestRead: number; newestRead: number; written: number };

/** A change that releases before it would misread gets the next number here, one release after the one that reads it. */
export const dataFormats: DataFormats = { oldestRead: 1, newestRead: 1, written: 1 };

/**
 * Reads how this store is laid out, laying a fresh one out first, and refuses a Redis that would lose data, and data that
 * this release does not read. The number of partitions is decided once: records are found by it.
 */
export async function openInstallation(
  connection: Connection,
  prefix: string,
  formats: DataFormats = dataFormats,
): Promise<Installation> {
  try {
    const warnings = await redisWarnings(connection);
    const meta = `${prefix}:meta`;
    const known = await connection.hmget(meta, "partitions", "format");
    // Written only where something is missing or older: who may only read can look at everything.
    const found = isWritten(known, formats) ? known : await layOut(connection, meta, formats);
    const [partitions = 0, format = 0] = found.map(Number);
    const refusal = refusalOf(format, formats);
    if (refusal !== null)
      throw new PasswrightError("invalid_configuration", `${refusal.trouble} ${refusal.remedy}`);
    return { partitions, warnings };
  } catch (error) {
    throw asUnavailable(error);
  }
}

function isWritten([partitions, format]: readonly (string | null)[], { written }: DataFormats): boolean {
  return partitions != null && format != null && Number(format) >= written;
}

async function layOut(
  connection: Connection,
  meta: string,
  { oldestRead, newestRead, written }: DataFormats,
): Promise<string[]> {
  const script = scriptText("open-installation.lua");
  return (await connection.eval(
    script,
    1,
    meta,
    defaultPartitions,
    oldestRead,
    newestRead,
    written,
  )) as string[];
}

/** Why a release that reads these formats must leave data of that one alone; null where it need not. */
export function refusalOf(
  format: number,
  { oldestRead, newestRead }: DataFormats = dataFormats,
): { trouble: string; remedy: string } | null {
  if (format >= oldestRead && format <= newestRead) return null;
  const isNewer = format > newestRead;
  const reads = oldestRead === newestRead ? `${newestRead} only` : `${oldestRead} to ${newestRead}`;
  return {
    trouble: `The data in Redis has format ${format}, which ${isNewer ? "a newer" : "an older"} release has written; this one reads format ${reads}.`,
    remedy: isNewer
      ? "Install a release that reads it, or restore a backup of before the upgrade."
      : "Upgrade by way of a release that reads both.",
  };
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
