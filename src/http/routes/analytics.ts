import { parseDateTime } from "../../domain/date-time.ts";
import { type EventType, eventTypes, type Span } from "../../domain/events/event.ts";
import { eventResource, summaryResource } from "../../domain/events/resource.ts";
import { spanOf } from "../../domain/events/span.ts";
import { summarizeEvents } from "../../domain/events/summarize.ts";
import { ok } from "../openapi/answers.ts";
import { eventList, eventSummary } from "../openapi/examples/analytics.ts";
import { eventListSchema, eventSummarySchema } from "../openapi/schemas/event.ts";
import { listReply, type PageQuery, pageOf, pageParameters, querySchema } from "../query.ts";
import { checked, guarded } from "../route.ts";

type SpanQuery = { from?: string; to?: string };

const spanParameters = {
  from: {
    type: "string",
    format: "date-time",
    maxLength: 64,
    description: "The first instant that counts.",
    example: "2026-11-01T00:00:00Z",
  },
  to: {
    type: "string",
    format: "date-time",
    maxLength: 64,
    description: "The last instant that counts.",
    example: "2026-11-30T23:59:59.999Z",
  },
} as const;

const eventsQuery = checked<PageQuery & SpanQuery & { event_type?: EventType; pass_id?: string }>(
  querySchema({
    ...pageParameters,
    event_type: { type: "string", enum: eventTypes, description: "Only events of this type." },
    pass_id: { type: "string", format: "uuid", description: "Only events of this pass." },
    ...spanParameters,
  }),
);

const summaryQuery = checked<SpanQuery>(querySchema(spanParameters));

export const analyticsRoutes = [
  guarded({
    method: "GET",
    path: "/api/v1/analytics/events",
    operationId: "listEvents",
    tag: "Analytics",
    summary: "List what happened, newest first",
    description:
      "The recorded events of the last 400 days, unless the operator keeps them longer or shorter. `pass.activated` and `pass.failed` come from the wallets' answers, `pass.installed` and `pass.uninstalled` from devices, `pass.viewed` from the public page and the file.",
    answers: [ok("A page of events.", eventListSchema, eventList)],
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
    operationId: "summarizeEvents",
    tag: "Analytics",
    summary: "Count events by day and type, and active passes; the last 30 days by default",
    description: "Days are those of UTC. The counts are kept for ever, longer than the events themselves.",
    answers: [ok("The counts.", eventSummarySchema, eventSummary)],
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
