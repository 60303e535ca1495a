// Made by scripts/generate-client.mjs from the OpenAPI document. Do not edit: run it again.

import type { CallOptions, Send } from "../call.ts";
import { type List, listOf, type PageQuery } from "../paging.ts";
import type { AnalyticsEvent, EventSummary } from "./schemas.ts";

export type ListEventsQuery = PageQuery & {
  /** Only events of this type. */
  event_type?:
    | "pass.created"
    | "pass.updated"
    | "pass.revoked"
    | "message.sent"
    | "job.completed"
    | "job.failed"
    | "batch.completed"
    | "pass.activated"
    | "pass.failed"
    | "pass.installed"
    | "pass.uninstalled"
    | "pass.viewed"
    | undefined;
  /** Only events of this pass. */
  pass_id?: string | undefined;
  /** The first instant that counts. */
  from?: string | undefined;
  /** The last instant that counts. */
  to?: string | undefined;
};

export type SummarizeEventsQuery = {
  /** The first instant that counts. */
  from?: string | undefined;
  /** The last instant that counts. */
  to?: string | undefined;
};

/** What happened to passes, one by one and counted. */
export function createAnalytics(send: Send) {
  return {
    /**
     * List what happened, newest first.
     *
     * The recorded events of the last 400 days, unless the operator keeps them longer or shorter.
     * `pass.activated` and `pass.failed` come from the wallets' answers, `pass.installed` and
     * `pass.uninstalled` from devices, `pass.viewed` from the public page and the file.
     *
     * Scope: `analytics:read`.
     */
    listEvents(query: ListEventsQuery = {}, options: CallOptions = {}): List<AnalyticsEvent> {
      return listOf(send, { method: "GET", path: "/api/v1/analytics/events", query }, options);
    },

    /**
     * Count events by day and type, and active passes; the last 30 days by default.
     *
     * Days are those of UTC. The counts are kept for ever, longer than the events themselves.
     *
     * Scope: `analytics:read`.
     */
    summarize(query: SummarizeEventsQuery = {}, options: CallOptions = {}): Promise<EventSummary> {
      return send({ method: "GET", path: "/api/v1/analytics/summary", query }, options);
    },
  };
}
