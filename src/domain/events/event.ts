import type { Page, PageRequest } from "../page.ts";

/** What webhooks can subscribe to. */
export const webhookEventTypes = [
  "pass.created",
  "pass.updated",
  "pass.revoked",
  "message.sent",
  "job.completed",
  "job.failed",
  "batch.completed",
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** What is recorded: the webhook types, and what only we or the wallets notice. */
export const eventTypes = [
  ...webhookEventTypes,
  "pass.activated",
  "pass.failed",
  "pass.installed",
  "pass.uninstalled",
  "pass.viewed",
] as const;
export type EventType = (typeof eventTypes)[number];

/** An event of a tenant's history. The ids are of what it is about, as far as that applies. */
export type RecordedEvent = {
  id: string;
  type: EventType;
  passId: string | null;
  templateId: string | null;
  messageId: string | null;
  occurredAtMs: number;
};

/** From one instant to another, in milliseconds, both included. */
export type Span = { fromMs: number; toMs: number };

export type EventFilter = Partial<Span> & { type?: EventType; passId?: string };

/** How many events of each type; types without any are left out. */
export type EventCounts = Partial<Record<EventType, number>>;

/** A view of a pass's page or file. */
export type PassView = {
  eventId: string;
  tenantId: string;
  passId: string;
  templateId: string;
  atMs: number;
};

/**
 * What happened to a tenant's passes. Events of one tenant are in the order in which they were recorded, and their
 * instants never decrease. Counters by day (UTC) outlive the events.
 */
export type EventStore = {
  /** Newest first. */
  list(tenantId: string, filter: EventFilter, page: PageRequest): Promise<Page<RecordedEvent>>;
  /** The instants of the first event ever and of the latest, or null where there was none. */
  extent(tenantId: string): Promise<Span | null>;
  /** By the counters. Days are `YYYY-MM-DD`. */
  countDays(tenantId: string, days: readonly string[]): Promise<EventCounts[]>;
  /** By the events themselves; null for a span of which some were no longer kept. */
  countSpans(tenantId: string, spans: readonly Span[]): Promise<(EventCounts | null)[]>;
  activePasses(tenantId: string): Promise<number>;
  recordView(view: PassView): Promise<void>;
};

/** Lets old events go. */
export type EventRetention = {
  /** Every tenant's id. */
  tenants(): AsyncIterable<string>;
  /** Removes a bounded number of the events before an instant. `more`: not all of them yet. */
  expire(tenantId: string, beforeMs: number): Promise<{ expired: number; more: boolean }>;
};
