import { eventTypes } from "../../../domain/events/event.ts";
import { choice, described, instant, integer, listOf, record, uuid } from "./scalars.ts";

const idOrNull = { type: ["string", "null"], format: "uuid" } as const;

export const eventListSchema = listOf(
  "EventListResponse",
  record("Event", {
    id: uuid,
    event_type: choice(eventTypes),
    pass_id: idOrNull,
    template_id: idOrNull,
    message_id: idOrNull,
    occurred_at: instant,
  }),
);

const countsSchema = {
  title: "EventCounts",
  type: "object",
  description: "How many events of each type; types without any are left out.",
  properties: Object.fromEntries(eventTypes.map((type) => [type, integer(1)])),
};

export const eventSummarySchema = record("EventSummaryResponse", {
  from: instant,
  to: instant,
  days: {
    type: "array",
    maxItems: 100_000,
    description: "The days (UTC) on which something happened, oldest first.",
    items: record("EventDay", {
      date: { type: "string", format: "date", maxLength: 10 },
      counts: countsSchema,
    }),
  },
  totals: countsSchema,
  active_passes: described("How many passes are active now.", integer(0)),
});
