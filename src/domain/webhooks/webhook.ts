import type { WebhookEventType } from "../events/event.ts";
import type { IdempotencyClaim } from "../idempotency.ts";
import type { Failure, Task } from "../jobs/work.ts";
import type { Page, PageRequest } from "../page.ts";

export type Webhook = {
  id: string;
  tenantId: string;
  url: string;
  events: WebhookEventType[];
  /** An inactive webhook gets nothing: no new deliveries, and those that wait end when their time comes. */
  isActive: boolean;
  secretPrefix: string;
  createdAtMs: number;
};

export const maxWebhooksPerTenant = 50;

/** The part of a secret that is shown: its first 4 characters. */
export function secretPrefix(secret: string): string {
  return [...secret].slice(0, 4).join("");
}

export type WebhookCreation = {
  webhook: Webhook;
  secret: string;
  idempotency: IdempotencyClaim | null;
  response: string;
};

/**
 * `before` is what was read; `secret` null leaves the secret as it is. `closesBreaker`: whoever changes the address, or
 * switches the webhook, wants it to be tried at once, also where that comes to the same as before.
 */
export type WebhookUpdate = {
  before: Webhook;
  after: Webhook;
  secret: string | null;
  closesBreaker: boolean;
  idempotency: IdempotencyClaim | null;
  response: string;
};

/** What an Idempotency-Key stands for already. */
export type Answered = { outcome: "replayed"; response: string } | { outcome: "key_reused" };

/**
 * What an attempt needs to know of its webhook; the secret is decrypted. What the attempt comes to counts for the endpoint
 * only while `reset` is still the same.
 */
export type DeliveryTarget = {
  url: string;
  isActive: boolean;
  secret: string;
  breaker: { isOpen: boolean; hasFailures: boolean; reset: string };
};

export type WebhookStore = {
  create(creation: WebhookCreation): Promise<Answered | { outcome: "created" } | { outcome: "too_many" }>;
  /** `changed`: somebody else has changed the webhook since `before` was read, and nothing was written. */
  update(
    update: WebhookUpdate,
  ): Promise<Answered | { outcome: "updated" } | { outcome: "changed" } | { outcome: "not_found" }>;
  /** Takes the webhook and the list of its deliveries away. Deliveries that wait end when their time comes. */
  remove(
    webhook: Pick<Webhook, "id" | "tenantId">,
    idempotency: IdempotencyClaim | null,
  ): Promise<Answered | { outcome: "deleted" } | { outcome: "not_found" }>;
  find(tenantId: string, webhookId: string): Promise<Webhook | null>;
  /** Newest first. */
  list(tenantId: string, page: PageRequest): Promise<Page<Webhook>>;
  target(tenantId: string, webhookId: string): Promise<DeliveryTarget | null>;
};

export type DeliveryAttempt = {
  /** Counts from 1 over the delivery's life, also where it was sent again with a fresh count. */
  number: number;
  atMs: number;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
};

export const deliveryStatuses = ["pending", "delivered", "retrying", "dead_lettered"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** One event on its way to one webhook. The id stays the same over all attempts. */
export type Delivery = {
  id: string;
  tenantId: string;
  webhookId: string;
  eventId: string;
  eventType: WebhookEventType;
  status: DeliveryStatus;
  attempts: DeliveryAttempt[];
  nextAttemptAtMs: number | null;
  createdAtMs: number;
};

export type DeliveryStore = {
  /** The exact bytes that every attempt sends. */
  body(tenantId: string, eventId: string): Promise<Uint8Array | null>;
  find(tenantId: string, deliveryId: string): Promise<Delivery | null>;
  /** Those of the 30 days before `nowMs`, newest first. */
  list(
    of: { tenantId: string; webhookId: string; nowMs: number },
    page: PageRequest,
  ): Promise<Page<Delivery>>;
  /**
   * Writes an attempt and what follows from it in one step. `dueAtMs` null after a failure: there is no other attempt,
   * the delivery becomes a dead letter. `reset`: of the target that was asked, whose breaker it may turn; absent when
   * none was, or when it has no failures that this one could end. False: the lease was lost. To be called again when it rejects with `unavailable`.
   */
  settle(
    task: Task,
    attempt: DeliveryAttempt,
    next: { delivered: true } | { dueAtMs: number | null; failure: Failure },
    reset?: string,
  ): Promise<boolean>;
  /**
   * Asks whether a delivery may go although its webhook's breaker is open: it is the probe, or the breaker has closed
   * meanwhile (`send`). Else it waits until that closes, the attempt uncounted.
   */
  park(task: Task, nowMs: number): Promise<"parked" | "send" | "lost">;
  /**
   * Puts off a delivery that could not be sent for a reason of ours, the attempt uncounted. `overdue`: that has been so for
   * `limitMs`, and nothing was written.
   */
  hold(
    task: Task,
    times: { nowMs: number; dueAtMs: number; limitMs: number },
  ): Promise<"held" | "overdue" | "lost">;
  /**
   * Queues an attempt at once, with a fresh count, and takes the delivery out of wherever it waited, its dead letter
   * included. `in_hand`: a worker is sending it; `bodiless`: its event's body is no longer kept. Neither changes anything.
   */
  resend(
    delivery: Pick<Delivery, "id" | "tenantId" | "webhookId" | "eventId">,
    nowMs: number,
  ): Promise<"queued" | "in_hand" | "bodiless" | "gone">;
};

/** Events that were written with their cause and wait to be turned into deliveries. */
export type Outbox = {
  /** Makes one delivery per subscribed webhook of up to `count` events, once each; answers how many events. */
  fanOut(count: number): Promise<number>;
};
