import fc from "fast-check";
import t from "tap";
import { type EventCounts, type EventType, eventTypes } from "../../../src/domain/events/event.ts";
import { summarizeEvents } from "../../../src/domain/events/summarize.ts";
import { createEventStore } from "../../../src/redis/events.ts";
import { type EventToRecord, recordEvents } from "../../support/events.ts";
import { openStore } from "../../support/store.ts";

const store = await openStore(t);
const { ids, connection, keys } = store;
const events = createEventStore(store);
const hourMs = 3_600_000;
const start = Date.parse("2026-10-30T22:00:00.000Z");

t.test("there is no extent before the first event", async (t) => {
  const tenantId = ids.uuid();
  t.equal(await events.extent(tenantId), null);
  await recordEvents(store, tenantId, [
    { id: ids.uuid(), type: "job.failed", occurredAtMs: start },
    { id: ids.uuid(), type: "job.failed", occurredAtMs: start + 5 },
  ]);
  t.strictSame(await events.extent(tenantId), { fromMs: start, toMs: start + 5 });
});

t.test("the passes that are active now are counted", async (t) => {
  const tenantId = ids.uuid();
  t.equal(await events.activePasses(tenantId), 0);
  await connection.zadd(`${keys.passesByStatus(tenantId)}:active`, 1, ids.uuid(), 2, ids.uuid());
  t.equal(await events.activePasses(tenantId), 2);
});

t.test("a summary of any span counts what a plain list would, by day and type", async (t) => {
  const types = eventTypes.filter((_, place) => place % 3 === 0);
  const drafts = fc.array(
    fc.record({
      type: fc.constantFrom(...types),
      afterMs: fc.oneof(fc.constant(0), fc.nat(hourMs), fc.nat(30 * hourMs)),
    }),
    { maxLength: 120, size: "max" },
  );
  const instant = fc.oneof(
    fc.integer({ min: -30 * hourMs, max: 1500 * hourMs }),
    // The edges of days.
    fc
      .integer({ min: -1, max: 60 })
      .chain((day) => fc.constantFrom(-1, 0, 1).map((ms) => (day * 24 + 2) * hourMs + ms)),
  );
  await fc.assert(
    fc.asyncProperty(
      drafts,
      fc.array(fc.tuple(instant, instant), { minLength: 15 }),
      async (given, spans) => {
        const tenantId = ids.uuid();
        let at = start;
        const all = given.map(({ type, afterMs }): EventToRecord => {
          at += afterMs;
          return { id: ids.uuid(), type, occurredAtMs: at };
        });
        await recordEvents(store, tenantId, all);
        for (const [one, other] of spans) {
          const span = { fromMs: start + Math.min(one, other), toMs: start + Math.max(one, other) };
          const summary = await summarizeEvents({ events, clock: store.clock }, tenantId, span);
          const expected = model(all.filter(({ occurredAtMs: at }) => at >= span.fromMs && at <= span.toMs));
          if (JSON.stringify(summary) !== JSON.stringify({ ...span, ...expected, activePasses: 0 })) {
            t.strictSame(summary, { ...span, ...expected, activePasses: 0 });
            return false;
          }
        }
        return true;
      },
    ),
    { numRuns: 40, endOnFailure: true },
  );
  t.pass("40 histories, 15 spans and more each");
});

/** Counts events one by one. Types come in the order of the catalogue. */
function model(some: readonly EventToRecord[]) {
  const counts = (part: readonly EventToRecord[]): EventCounts => {
    const found: [EventType, number][] = eventTypes.map((type) => [
      type,
      part.filter((event) => event.type === type).length,
    ]);
    return Object.fromEntries(found.filter(([, count]) => count > 0));
  };
  const byDay = Map.groupBy(some, ({ occurredAtMs }) => new Date(occurredAtMs).toISOString().slice(0, 10));
  return {
    days: [...byDay].map(([date, part]) => ({ date, counts: counts(part) })),
    totals: counts(some),
  };
}
