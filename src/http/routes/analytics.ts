import { parseDateTime } from "../../domain/date-time.ts";
import { type EventType, eventTypes, type Span } from "../../domain/events/event.ts";
import { eventResource, summaryResource } from "../../domain/events/resource.ts";
import { spanOf } from "../../domain/events/span.ts";
import { summarizeEvents } from "../../domain/events/summarize.ts";
import { listReply, type PageQuery, pageOf, pageParameters, querySchema } from "../query.ts";
import { checked, guarded } from "../route.ts";

type SpanQuery = { from?: string; to?: string };

const spanParameters = {
  from: { type: "string", format: "date-time", description: "The first instant that counts" },
  to: { type: "string", format: "date-time", description: "The last instant that counts" },
} as const;

const eventsQuery = checked<PageQuery & SpanQuery & { event_type?: EventType; pass_id?: string }>(
  querySchema({
    ...pageParameters,
    event_type: { type: "string", enum: eventTypes },
    pass_id: { type: "string", format: "uuid" },
    ...spanParameters,
  }),
);

const summaryQuery = checked<SpanQuery>(querySchema(spanParameters));

export const analyticsRoutes = [
  guarded({
    method: "GET",
    path: "/api/v1/analytics/events",
    summary: "List what happened, newest first",
    access: "analytics:read",
    query: eventsQuery,
    async handle({ query, claims }, deps) {
      const page = pageOf(query);
      const { fromMs, toMs } = instantsOf(query);
      const filter = {
        ...spanOf(fromMs, toMs),
        ...(query.event_type !== undefined && { type: query.event_type }),
        ...(query.pass_id !== undefined && { passId: query.pass_id.toLowerCase() }),
      };
      const { items, total } = await deps.events.list(claims.tenantId, filter, page);
      return listReply(items.map(eventResource), total, page);
    },
  }),
  guarded({
    method: "GET",
    path: "/api/v1/analytics/summary",
    summary: "Count events by day and type, and active passes; the last 30 days by default",
    access: "analytics:read",
    query: summaryQuery,
    async handle({ query, claims }, deps) {
      const summary = await summarizeEvents(deps, claims.tenantId, instantsOf(query));
      return { status: 200, body: summaryResource(summary) };
    },
  }),
];

/** The schema has seen to it that what is given is a date-time. */
function instantsOf({ from, to }: SpanQuery): Partial<Span> {
  const [fromMs, toMs] = [from, to].map((text) => (text === undefined ? null : parseDateTime(text)));
  return {
    ...(typeof fromMs === "number" && { fromMs }),
    ...(typeof toMs === "number" && { toMs }),
  };
}
