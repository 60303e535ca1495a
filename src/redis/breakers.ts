import type { Breakers, EndpointHealth } from "../domain/webhooks/breaker.ts";
import { asUnavailable } from "./connection.ts";
import type { StoreParts } from "./store.ts";

/** How many webhooks of a partition one round looks at, and how many deliveries one step moves. */
const webhooksPerRound = 100;
const deliveriesPerStep = 100;

/** Between two stretches of one webhook's deliveries, so that they come at some 1000 a second and not all at once. */
const stretchPauseMs = 100;

/** How soon is looked whether a probe is still on its way. */
export const probeCheckMs = 5000;

/** What the index of a partition calls a webhook. */
export function breakerName(tenantId: string, webhookId: string): string {
  return `${tenantId} ${webhookId}`;
}

export function createBreakers(
  { connection, keys, run }: Pick<StoreParts, "connection" | "keys" | "run">,
  options: { parkLimitMs: number },
): Breakers {
  const endpointDown = "not sent: the endpoint failed for as long as a delivery may wait for it";

  async function step(partition: number, name: string, nowMs: number): Promise<[number, number, number]> {
    const [tenantId = "", webhookId = ""] = name.split(" ");
    return (await run(
      "tend-breaker",
      [
        keys.breakers(partition),
        keys.webhook(tenantId, webhookId),
        keys.parked(tenantId, webhookId),
        keys.queue(partition, "webhooks"),
        keys.deadLetters(partition),
      ],
      [
        ...[name, keys.ofTenant(tenantId), `${tenantId}:`, nowMs, deliveriesPerStep, options.parkLimitMs],
        ...[probeCheckMs, stretchPauseMs, "endpoint_down", endpointDown],
      ],
    )) as [number, number, number];
  }

  async function tendPartition(partition: number, nowMs: number) {
    const index = keys.breakers(partition);
    const due = await connection.zrange(
      index,
      "-inf",
      String(nowMs),
      "BYSCORE",
      "LIMIT",
      0,
      webhooksPerRound,
    );
    const steps = await Promise.all(due.map((name) => step(partition, name, nowMs)));
    const [, next = "inf"] = await connection.zrange(index, "0", "0", "WITHSCORES");
    return { steps, nextDueAtMs: next === "inf" ? null : Number(next) };
  }

  return {
    async tend(nowMs) {
      try {
        const partitions = await Promise.all(keys.allPartitions.map((one) => tendPartition(one, nowMs)));
        const steps = partitions.flatMap((one) => one.steps);
        const sum = (index: 0 | 1 | 2): number => steps.reduce((total, counts) => total + counts[index], 0);
        const next = partitions.flatMap(({ nextDueAtMs }) => nextDueAtMs ?? []);
        const nextDueAtMs = next.length === 0 ? null : Math.min(...next);
        return { released: sum(0), probes: sum(1), buried: sum(2), nextDueAtMs };
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async depth() {
      const depths = (await Promise.all(
        keys.allPartitions.map((partition) =>
          run("breaker-depth", [keys.breakers(partition)], [keys.partition(partition)]),
        ),
      )) as [open: number, parked: number][];
      return {
        open: depths.reduce((sum, [open]) => sum + open, 0),
        parked: depths.reduce((sum, [, parked]) => sum + parked, 0),
      };
    },

    async troubled(limit) {
      try {
        const parts = await Promise.all(
          keys.allPartitions.map((partition) =>
            connection.zrange(keys.breakers(partition), "0", String(limit - 1)),
          ),
        );
        return parts
          .flat()
          .slice(0, limit)
          .map((name) => {
            const [tenantId = "", webhookId = ""] = name.split(" ");
            return { tenantId, webhookId };
          });
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async health(tenantId, webhookId) {
      try {
        const [facts, parked] = await Promise.all([
          connection.hmget(
            keys.webhook(tenantId, webhookId),
            ...["failures", "failing_since", "opened_at", "probe_at", "probe"],
          ),
          connection.zcard(keys.parked(tenantId, webhookId)),
        ]);
        return healthFrom(facts, parked);
      } catch (error) {
        throw asUnavailable(error);
      }
    },
  };
}

function healthFrom(facts: readonly (string | null)[], parked: number): EndpointHealth {
  const [failures, failingSince, openedAt, probeAt, probe] = facts;
  const instant = (text: string | null | undefined): number | null => (text ? Number(text) : null);
  return {
    breaker: !openedAt ? "closed" : probe ? "half_open" : "open",
    failuresInARow: Number(failures ?? 0),
    failingSinceMs: instant(failingSince),
    openedAtMs: instant(openedAt),
    nextProbeAtMs: instant(probeAt),
    parked,
  };
}
