import type { ReadStoreHealth } from "../domain/store-health.ts";
import { asUnavailable } from "./connection.ts";
import type { StoreParts } from "./store.ts";

/** One `INFO`; of a cluster, that of one of its nodes. */
export function createStoreHealth({ connection }: Pick<StoreParts, "connection">): ReadStoreHealth {
  return async () => {
    try {
      const askedAt = performance.now();
      await connection.ping();
      const roundTripMs = performance.now() - askedAt;
      const text = await connection.info();
      const said = new Map(
        text.split("\r\n").map((line) => {
          const colon = line.indexOf(":");
          return [line.slice(0, colon), line.slice(colon + 1)] as const;
        }),
      );
      const number = (name: string): number => Number(said.get(name) ?? 0);
      const isFailing = [said.get("aof_last_write_status"), said.get("aof_last_bgrewrite_status")].includes(
        "err",
      );
      return {
        version: said.get("redis_version") ?? "?",
        role: said.get("role") ?? "?",
        uptimeSeconds: number("uptime_in_seconds"),
        usedBytes: number("used_memory"),
        limitBytes: number("maxmemory"),
        clients: number("connected_clients"),
        commandsPerSecond: number("instantaneous_ops_per_sec"),
        replicas: number("connected_slaves"),
        appendOnly: number("aof_enabled") === 0 ? "off" : isFailing ? "failing" : "on",
        roundTripMs,
      };
    } catch (error) {
      throw asUnavailable(error);
    }
  };
}
