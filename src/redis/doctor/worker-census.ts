import type { Consumers, Workers } from "../../domain/doctor/ports.ts";
import { workClasses } from "../../domain/jobs/work.ts";
import { asUnavailable } from "../connection.ts";
import type { StoreParts } from "../store.ts";
import { consumerGroup } from "../task-names.ts";
import { unlessDenied } from "./denied.ts";

type Parts = Pick<StoreParts, "connection" | "keys">;

/** Of each name in the groups: since when it has been silent everywhere, and what it holds in all. */
export function createConsumerCensus({ connection, keys }: Parts, silentForMs: number): Consumers {
  const consumersOf = async (queue: string): Promise<{ name: string; pending: number; idle: number }[]> => {
    try {
      const replies = (await connection.xinfo("CONSUMERS", queue, consumerGroup)) as unknown[][];
      return replies.map((facts) => {
        const fact = (name: string): unknown => facts[facts.indexOf(name) + 1];
        return { name: String(fact("name")), pending: Number(fact("pending")), idle: Number(fact("idle")) };
      });
    } catch (error) {
      // Neither stream nor group: another check tells that.
      if (error instanceof Error && /no such key|NOGROUP/.test(error.message)) return [];
      throw asUnavailable(error);
    }
  };

  return {
    async silent() {
      const queues = keys.allPartitions.flatMap((partition) =>
        workClasses.map((workClass) => keys.queue(partition, workClass)),
      );
      const byName = Map.groupBy((await Promise.all(queues.map(consumersOf))).flat(), ({ name }) => name);
      const silent = [...byName.values()]
        .filter((entries) => entries.every(({ idle }) => idle >= silentForMs))
        .map((entries) => entries.reduce((sum, { pending }) => sum + pending, 0));
      const held = silent.filter((work) => work > 0);
      return {
        silentForMs,
        names: silent.length - held.length,
        holding: { names: held.length, work: held.reduce((sum, work) => sum + work, 0) },
      };
    },
  };
}

export function createWorkerCensus({ connection, keys }: Parts): Workers {
  return {
    async lastRoundMs() {
      try {
        const rounds = await Promise.all(
          keys.allPartitions.map((partition) => connection.hget(keys.reconciled(partition), "at")),
        );
        const latestMs = Math.max(...rounds.map((at) => Number(at ?? 0)));
        if (latestMs === 0) return null;
        // The script that wrote it asked the clock of Redis, too.
        const [seconds] = await connection.time();
        return Math.max(0, Number(seconds) * 1000 - latestMs);
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    async connected() {
      if ("nodes" in connection) return null;
      const clients = await unlessDenied(connection.client("LIST", "TYPE", "NORMAL") as Promise<string>);
      return clients === null ? null : (clients.match(/ name=passwright:worker /g) ?? []).length;
    },
  };
}
