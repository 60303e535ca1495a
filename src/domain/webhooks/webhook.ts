import type { WebhookEventType } from "../events/event.ts";
import type { IdempotencyClaim } from "../idempotency.ts";
import type { Failure, Task } from "../jobs/work.ts";

export type Webhook = {
  id: string;
  tenantId: string;
  url: string;
  events: WebhookEventType[];
  isActive: boolean;
  secretPrefix: string;
  createdAtMs: number;
};

export const maxWebhooksPerTenant = 50;

export type WebhookCreation = {
  webhook: Webhook;
  secret: string;
  idempotency: IdempotencyClaim | null;
  response: string;
};

export type WebhookStore = {
  create(
    creation: WebhookCreation,
  ): Promise<
    | { outcome: "created" }
    | { outcome: "replayed"; response: string }
    | { outcome: "key_reused" }
    | { outcome: "too_many" }
  >;
  find(tenantId: string, webhookId: string): Promise<Webhook | null>;
  /** Decrypted. */
  secret(tenantId: string, webhookId: string): Promise<string | null>;
};

export type DeliveryAttempt = {
  number: number;
  atMs: number;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
};

/** One event on its way to one webhook. The id stays the same over all attempts. */
export type Delivery = {
  id: string;
  tenantId: string;
  webhookId: string;
  eventId: string;
  eventType: WebhookEventType;
  status: "pending" | "delivered" | "retrying" | "dead_lettered";
  attempts: DeliveryAttempt[];
  nextAttemptAtMs: number | null;
  createdAtMs: number;
};

export type DeliveryStore = {
  /** The exact bytes that every attempt sends. */
  body(tenantId: string, eventId: string): Promise<string | null>;
  find(tenantId: string, deliveryId: string): Promise<Delivery | null>;
  /**
   * Writes an attempt and what follows from it in one step. `dueAtMs` null after a failure: it was the last attempt,
   * the delivery becomes a dead letter. False: the lease was lost.
   */
  settle(
    task: Task,
    attempt: DeliveryAttempt,
    next: { delivered: true } | { dueAtMs: number | null; failure: Failure },
  ): Promise<boolean>;
};

/** Events that were written with their cause and wait to be turned into deliveries. */
export type Outbox = {
  /** Makes one delivery per subscribed webhook of up to `count` events, once each; answers how many events. */
  fanOut(count: number): Promise<number>;
};
