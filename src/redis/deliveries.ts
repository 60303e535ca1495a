import type { WebhookEventType } from "../domain/events/event.ts";
import type { Delivery, DeliveryAttempt, DeliveryStore } from "../domain/webhooks/webhook.ts";
import { asUnavailable } from "./connection.ts";
import { newestSince } from "./pages.ts";
import { historyRetentionSeconds } from "./retention.ts";
import type { StoreParts } from "./store.ts";
import { consumerGroup, recordName, retryMember } from "./task-names.ts";

export function createDeliveryStore({ connection, keys, run }: StoreParts): DeliveryStore {
  const find = async (tenantId: string, deliveryId: string): Promise<Delivery | null> => {
    try {
      const hash = await connection.hgetall(keys.record(tenantId, "delivery", deliveryId));
      return fromHash(tenantId, deliveryId, hash);
    } catch (error) {
      throw asUnavailable(error);
    }
  };

  return {
    async body(tenantId, eventId) {
      try {
        return await connection.get(keys.event(tenantId, eventId));
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    find,

    async list({ tenantId, webhookId, nowMs }, page) {
      const sinceMs = nowMs - historyRetentionSeconds * 1000;
      const index = keys.deliveries(tenantId, webhookId);
      const { items, total } = await newestSince(connection, { index, sinceMs }, page);
      const deliveries = await Promise.all(items.map((id) => find(tenantId, id)));
      return { items: deliveries.filter((delivery) => delivery !== null), total };
    },

    async settle(task, attempt, next) {
      const status = "delivered" in next ? "delivered" : next.dueAtMs === null ? "dead_lettered" : "retrying";
      const reply = await run(
        "settle-delivery",
        [
          keys.queue(task.partition, task.workClass),
          keys.record(task.tenantId, task.kind, task.id),
          keys.retry(task.partition),
          keys.deadLetters(task.partition),
          keys.event(task.tenantId, task.record.event ?? ""),
          keys.deadDeliveries(task.tenantId, task.record.event ?? ""),
        ],
        [
          consumerGroup,
          task.lease,
          attempt.number,
          JSON.stringify(attempt),
          status,
          "delivered" in next ? "" : (next.dueAtMs ?? ""),
          retryMember(task),
          recordName(task),
          "delivered" in next ? "" : next.failure.code,
          historyRetentionSeconds,
        ],
      );
      return reply === "settled";
    },

    async resend({ tenantId, id, eventId }, nowMs) {
      const partition = keys.partitionOf(tenantId);
      const lane = { tenantId, kind: "delivery", id, lane: "send", workClass: "webhooks" } as const;
      const reply = await run(
        "resend-delivery",
        [
          keys.queue(partition, lane.workClass),
          keys.record(tenantId, lane.kind, id),
          keys.retry(partition),
          keys.deadLetters(partition),
          keys.event(tenantId, eventId),
          keys.deadDeliveries(tenantId, eventId),
        ],
        [nowMs, retryMember(lane), recordName(lane), historyRetentionSeconds],
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
  return {
    id,
    tenantId,
    webhookId: hash.webhook,
    eventId: hash.event ?? "",
    eventType: hash.type as WebhookEventType,
    status: hash.status as Delivery["status"],
    attempts,
    nextAttemptAtMs: hash.next_at ? Number(hash.next_at) : null,
    createdAtMs: Number(hash.created_at),
  };
}
