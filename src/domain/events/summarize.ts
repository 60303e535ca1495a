import type { Clock } from "../clock.ts";
import { type EventCounts, type EventStore, eventTypes, type Span } from "./event.ts";
import { spanOf } from "./span.ts";

const dayMs = 24 * 60 * 60 * 1000;
const defaultDays = 30;

export type EventSummary = Span & {
  /** Days (UTC) with events, oldest first. */
  days: { date: string; counts: EventCounts }[];
  totals: EventCounts;
  activePasses: number;
};

/**
 * Counts a tenant's events by day and type. Without `toMs` until now, without `fromMs` from 30 days before the end.
 * Whole days come from the counters; of a day that an end cuts, the events within are counted, or, where they are no
 * longer kept, the whole day. Rejects with invalid_request when the span ends before it begins.
 */
export async function summarizeEvents(
  deps: { events: EventStore; clock: Clock },
  tenantId: string,
  asked: Partial<Span>,
): Promise<EventSummary> {
  const toMs = asked.toMs ?? deps.clock.nowMs();
  const fromMs = asked.fromMs ?? toMs - defaultDays * dayMs;
  const span = spanOf(fromMs, toMs) as Span;
  const [days, activePasses] = await Promise.all([
    countByDay(deps.events, tenantId, span),
    deps.events.activePasses(tenantId),
  ]);
  return { ...span, days, totals: sum(days.map(({ counts }) => counts)), activePasses };
}

async function countByDay(events: EventStore, tenantId: string, span: Span): Promise<EventSummary["days"]> {
  const extent = await events.extent(tenantId);
  if (extent === null) return [];
  const days = daysOf({
    fromMs: Math.max(span.fromMs, extent.fromMs),
    toMs: Math.min(span.toMs, extent.toMs),
  });
  const parts = days.map((startMs) => ({
    fromMs: Math.max(span.fromMs, startMs),
    toMs: Math.min(span.toMs, startMs + dayMs - 1),
  }));
  const cut = parts.filter(({ fromMs, toMs }) => toMs - fromMs < dayMs - 1);
  const [whole, counted] = await Promise.all([
    events.countDays(tenantId, days.map(dateOf)),
    events.countSpans(tenantId, cut),
  ]);
  return parts
    .map((part, index) => {
      const place = cut.indexOf(part);
      const counts = (place === -1 ? null : counted[place]) ?? whole[index] ?? {};
      return { date: dateOf(part.fromMs), counts };
    })
    .filter(({ counts }) => Object.keys(counts).length > 0);
}

/** The beginnings of the days that a span touches. */
function daysOf({ fromMs, toMs }: Span): number[] {
  const first = Math.floor(fromMs / dayMs);
  const count = Math.max(0, Math.floor(toMs / dayMs) - first + 1);
  return Array.from({ length: count }, (_, index) => (first + index) * dayMs);
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function sum(parts: readonly EventCounts[]): EventCounts {
  const totals: EventCounts = {};
  for (const type of eventTypes) {
    const total = parts.reduce((count, part) => count + (part[type] ?? 0), 0);
    if (total > 0) totals[type] = total;
  }
  return totals;
}
