import type { Clock } from "../../domain/clock.ts";
import type { ServerFacts, StoreServer } from "../../domain/doctor/ports.ts";
import { PasswrightError } from "../../domain/errors.ts";
import { asUnavailable, type Connection } from "../connection.ts";
import { unlessDenied } from "./denied.ts";

/** Of so many answers the quickest tells the most: the network took the least time on the way. */
const clockSamples = 5;

/**
 * What the server says of itself; of a cluster the first master, since its nodes are to be set up alike. `refusal`: why there is
 * no connection, which the client tells only while it tries.
 */
export function createStoreServer(
  connection: Connection,
  clock: Clock,
  refusal: unknown = null,
): StoreServer {
  const node = (): Connection =>
    "nodes" in connection ? (connection.nodes("master")[0] ?? connection) : connection;

  return {
    async facts(): Promise<ServerFacts> {
      const info = await node()
        .info()
        .catch((error: unknown) => {
          throw refusal === null ? asUnavailable(error) : unreachable(refusal);
        });
      const settings = await unlessDenied(node().config("GET", "appendfsync") as Promise<string[]>);
      const fact = (name: string): string | undefined =>
        new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1];
      const valkey = fact("valkey_version");
      return {
        product: valkey === undefined ? "Redis" : "Valkey",
        version: valkey ?? fact("redis_version") ?? "0",
        role: fact("role") ?? "master",
        maxmemoryBytes: Number(fact("maxmemory") ?? 0),
        evictionPolicy: fact("maxmemory_policy") ?? "noeviction",
        usedMemoryBytes: Number(fact("used_memory") ?? 0),
        aofEnabled: fact("aof_enabled") === "1",
        aofLastWriteOk: (fact("aof_last_write_status") ?? "ok") === "ok",
        aofLastRewriteOk: (fact("aof_last_bgrewrite_status") ?? "ok") === "ok",
        rdbLastSaveOk: (fact("rdb_last_bgsave_status") ?? "ok") === "ok",
        fsync: settings?.[1] ?? null,
      };
    },

    async clockAhead() {
      let best = { byMs: 0, withinMs: Number.POSITIVE_INFINITY };
      for (let i = 0; i < clockSamples; i++) {
        const sentMs = clock.nowMs();
        const [seconds, microseconds] = await node()
          .time()
          .catch((error: unknown) => {
            throw asUnavailable(error);
          });
        const heardMs = clock.nowMs();
        const withinMs = (heardMs - sentMs) / 2;
        const theirsMs = Number(seconds) * 1000 + Number(microseconds) / 1000;
        if (withinMs < best.withinMs) best = { byMs: theirsMs - (sentMs + heardMs) / 2, withinMs };
      }
      return best;
    },
  };
}

/** The error of the attempts to connect has the client's last one as its cause: a refused port, a wrong password. */
function unreachable(refusal: unknown): PasswrightError {
  const last = refusal instanceof Error ? refusal.cause : undefined;
  const why = last instanceof Error && last.message !== "" ? `: ${last.message}` : ".";
  return new PasswrightError("unavailable", `Redis does not answer${why}`, { cause: refusal });
}
