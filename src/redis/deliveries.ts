import type { WebhookEventType } from "../domain/events/event.ts";
import type { Task } from "../domain/jobs/work.ts";
import { type BreakerRules, breakerRules } from "../domain/webhooks/breaker.ts";
import type { Delivery, DeliveryAttempt, DeliveryStore } from "../domain/webhooks/webhook.ts";
import { breakerName, probeCheckMs } from "./breakers.ts";
import { asUnavailable } from "./connection.ts";
import { doTogether } from "./do-together.ts";
import { newestSince } from "./pages.ts";
import { readTogether } from "./read-together.ts";
import { historyRetentionSeconds } from "./retention.ts";
import type { StoreParts } from "./store.ts";
import { consumerGroup, recordName } from "./task-names.ts";

/** Deliveries that are settled in one step. */
const mostSettled = 100;

type Options = {
  breaker?: BreakerRules;
  /** How long a delivery stays parked. */
  parkLimitMs?: number;
  /** Hears that the breaker of a webhook has opened, or closed because the endpoint answered. */
  turned?(webhook: { tenantId: string; webhookId: string }, to: "opened" | "closed"): void;
};

export function createDeliveryStore(
  { connection, keys, run }: StoreParts,
  options: Options = {},
): DeliveryStore {
  const { breaker = breakerRules, parkLimitMs = 24 * 3_600_000, turned } = options;
  const rules = (): number[] => [
    ...[breaker.leastFailures, breaker.leastMs, breaker.withinMs, breaker.firstWaitMs, breaker.longestWaitMs],
    0.8 + 0.4 * Math.random(),
    parkLimitMs,
  ];
  const find = async (tenantId: string, deliveryId: string): Promise<Delivery | null> => {
    try {
      const hash = await connection.hgetall(keys.record(tenantId, "delivery", deliveryId));
      const delivery = fromHash(tenantId, deliveryId, hash);
      if (delivery === null || hash["send:state"] !== "parked") return delivery;
      // What is parked waits for whatever comes of the next probe.
      const probeAt = await connection.hget(keys.webhook(tenantId, delivery.webhookId), "probe_at");
      return probeAt === null ? delivery : { ...delivery, nextAttemptAtMs: Number(probeAt) };
    } catch (error) {
      throw asUnavailable(error);
    }
  };

  // Bodies of one partition at a time: a command of a cluster keeps to one slot.
  const readers = keys.allPartitions.map(() =>
    readTogether(async (names) => {
      try {
        return await connection.mgetBuffer(names);
      } catch (error) {
        throw asUnavailable(error);
      }
    }),
  );
  const readBody = async (tenantId: string, eventId: string): Promise<Uint8Array | null> =>
    (await readers[keys.partitionOf(tenantId)]?.(keys.event(tenantId, eventId))) ?? null;

  type Delivered = { task: Task; attempt: DeliveryAttempt };
  const settlers = keys.allPartitions.map(() =>
    doTogether(
      async (delivered: readonly Delivered[]) => {
        const [first] = delivered;
        if (first === undefined) return [];
        const { partition, workClass } = first.task;
        const replies = (await run(
          "settle-delivered",
          [
            keys.queue(partition, workClass),
            ...delivered.map(({ task }) => keys.record(task.tenantId, task.kind, task.id)),
          ],
          [
            consumerGroup,
            historyRetentionSeconds,
            ...delivered.flatMap(({ task, attempt }) => [
              task.lease,
              attempt.number,
              JSON.stringify(attempt),
            ]),
          ],
        )) as string;
        return Array.from(replies, (reply) => reply === "s");
      },
      { most: mostSettled },
    ),
  );

  return {
    body: (tenantId, eventId) => readBody(tenantId, eventId),

    find,

    async list({ tenantId, webhookId, nowMs }, page) {
      const sinceMs = nowMs - historyRetentionSeconds * 1000;
      const index = keys.deliveries(tenantId, webhookId);
      const { items, total } = await newestSince(connection, { index, sinceMs }, page);
      const deliveries = await Promise.all(items.map((id) => find(tenantId, id)));
      return { items: deliveries.filter((delivery) => delivery !== null), total };
    },

    async settle(task, attempt, next, reset) {
      const settleDelivered = settlers[task.partition];
      if ("delivered" in next && reset === undefined && settleDelivered !== undefined) {
        return settleDelivered({ task, attempt });
      }
      const webhookId = task.record.webhook ?? "";
      const status = "delivered" in next ? "delivered" : next.dueAtMs === null ? "dead_lettered" : "retrying";
      const reply = await run(
        "settle-delivery",
        [
          keys.queue(task.partition, task.workClass),
          keys.record(task.tenantId, task.kind, task.id),
          keys.deadLetters(task.partition),
          keys.event(task.tenantId, task.record.event ?? ""),
          keys.deadDeliveries(task.tenantId, task.record.event ?? ""),
          keys.webhook(task.tenantId, webhookId),
          keys.breakers(task.partition),
          keys.parked(task.tenantId, webhookId),
        ],
        [
          consumerGroup,
          task.lease,
          attempt.number,
          JSON.stringify(attempt),
          status,
          "delivered" in next ? "" : (next.dueAtMs ?? ""),
          recordName(task),
          "delivered" in next ? "" : next.failure.code,
          historyRetentionSeconds,
          attempt.atMs + attempt.durationMs,
          reset ?? "",
          breakerName(task.tenantId, webhookId),
          ...("delivered" in next ? [] : rules()),
        ],
      );
      if (reply === "opened" || reply === "closed") turned?.({ tenantId: task.tenantId, webhookId }, reply);
      return reply !== "lost";
    },

    async park(task, nowMs) {
      const webhookId = task.record.webhook ?? "";
      const reply = await run(
        "park-delivery",
        [
          keys.queue(task.partition, task.workClass),
          keys.record(task.tenantId, task.kind, task.id),
          keys.webhook(task.tenantId, webhookId),
          keys.breakers(task.partition),
          keys.parked(task.tenantId, webhookId),
        ],
        [
          ...[consumerGroup, task.lease, task.id, breakerName(task.tenantId, webhookId), nowMs],
          ...[probeCheckMs, parkLimitMs],
        ],
      );
      return reply as "parked" | "send" | "lost";
    },

    async hold(task, { nowMs, dueAtMs, limitMs }) {
      const reply = await run(
        "hold-delivery",
        [keys.queue(task.partition, task.workClass), keys.record(task.tenantId, task.kind, task.id)],
        [consumerGroup, task.lease, dueAtMs, recordName(task), nowMs, limitMs],
      );
      return reply as "held" | "overdue" | "lost";
    },

    async resend({ tenantId, id, webhookId, eventId }, nowMs) {
      const partition = keys.partitionOf(tenantId);
      const lane = { tenantId, kind: "delivery", id, lane: "send", workClass: "webhooks" } as const;
      const reply = await run(
        "resend-delivery",
        [
          keys.queue(partition, lane.workClass),
          keys.record(tenantId, lane.kind, id),
          keys.deadLetters(partition),
          keys.event(tenantId, eventId),
          keys.deadDeliveries(tenantId, eventId),
          keys.parked(tenantId, webhookId),
        ],
        [nowMs, recordName(lane), historyRetentionSeconds, id],
      );
      return reply as "queued" | "in_hand" | "bodiless" | "gone";
    },
  };
}

function fromHash(tenantId: string, id: string, hash: Record<string, string>): Delivery | null {
  if (hash.webhook === undefined) return null;
  const attempts = Object.entries(hash)
    .filter(([name]) => name.startsWith("attempt:"))
    .map(([, text]) => JSON.parse(text) as DeliveryAttempt)
    .sort((a, b) => a.number - b.number);
  const isOpen = hash.status === "pending" || hash.status === "retrying";
  return {
    id,
    tenantId,
    webhookId: hash.webhook,
    eventId: hash.event ?? "",
    eventType: hash.type as WebhookEventType,
    status: hash.status as Delivery["status"],
    attempts,
    // One that has ended keeps what it last waited for.
    nextAttemptAtMs: hash.next_at && isOpen ? Number(hash.next_at) : null,
    createdAtMs: Number(hash.created_at),
  };
}
