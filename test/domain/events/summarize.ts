import t from "tap";
import type { EventStore, Span } from "../../../src/domain/events/event.ts";
import { summarizeEvents } from "../../../src/domain/events/summarize.ts";
import { settableClock } from "../../support/clock.ts";

const at = (iso: string) => Date.parse(iso);
const clock = settableClock("2026-11-21T06:43:46.625Z");

/** A store that counts one event for each day and two for each span, or none where `gone`. */
function storeOf(extent: Span | null, gone = false) {
  const asked: { days: readonly string[]; spans: readonly Span[] } = { days: [], spans: [] };
  const events: Pick<EventStore, "extent" | "countDays" | "countSpans" | "activePasses"> = {
    extent: async () => extent,
    activePasses: async () => 7,
    async countDays(_, days) {
      asked.days = days;
      return days.map(() => ({ "pass.created": 1 }));
    },
    async countSpans(_, spans) {
      asked.spans = spans;
      return spans.map(() => (gone ? null : { "pass.created": 2 }));
    },
  };
  return { events: events as EventStore, asked };
}

t.test("without ends it is about the last 30 days", async (t) => {
  const { events, asked } = storeOf({ fromMs: at("2020-01-01T00:00:00Z"), toMs: at("2026-11-21T06:00:00Z") });
  const summary = await summarizeEvents({ events, clock }, "tenant", {});
  t.match(summary, { fromMs: at("2026-10-22T06:43:46.625Z"), toMs: clock.nowMs(), activePasses: 7 });
  t.strictSame(
    summary.days.map(({ date }) => date),
    asked.days,
  );
  t.equal(asked.days.length, 31);
  t.strictSame(asked.spans, [
    { fromMs: at("2026-10-22T06:43:46.625Z"), toMs: at("2026-10-22T23:59:59.999Z") },
    { fromMs: at("2026-11-21T00:00:00Z"), toMs: clock.nowMs() },
  ]);
  t.strictSame(summary.totals, { "pass.created": 29 + 2 * 2 });
});

t.test("a day that lacks a millisecond is cut, a whole one is not", async (t) => {
  const { events, asked } = storeOf({ fromMs: 0, toMs: clock.nowMs() });
  const [fromMs, toMs] = [at("2026-05-01T00:00:00Z"), at("2026-05-01T23:59:59.999Z")];
  await summarizeEvents({ events, clock }, "tenant", { fromMs, toMs });
  t.strictSame(asked.spans, []);
  for (const span of [
    { fromMs: fromMs + 1, toMs },
    { fromMs, toMs: toMs - 1 },
  ]) {
    await summarizeEvents({ events, clock }, "tenant", span);
    t.strictSame(asked.spans, [span]);
  }
});

t.test("with an end only it is about the 30 days before", async (t) => {
  const { events } = storeOf(null);
  const toMs = at("2026-03-31T12:00:00Z");
  const summary = await summarizeEvents({ events, clock }, "tenant", { toMs });
  t.strictSame(summary, { fromMs: at("2026-03-01T12:00:00Z"), toMs, days: [], totals: {}, activePasses: 7 });
});

t.test("days before the first event and after the latest are not looked at", async (t) => {
  const { events, asked } = storeOf({ fromMs: at("2026-05-01T10:00:00Z"), toMs: at("2026-05-03T10:00:00Z") });
  const everything = { fromMs: at("0001-01-01T00:00:00Z"), toMs: at("9999-12-31T00:00:00Z") };
  await summarizeEvents({ events, clock }, "tenant", everything);
  t.strictSame(asked, { days: ["2026-05-01", "2026-05-02", "2026-05-03"], spans: [] });
});

t.test("a cut day whose events are gone counts whole", async (t) => {
  const { events } = storeOf({ fromMs: at("2020-01-01T00:00:00Z"), toMs: clock.nowMs() }, true);
  const span = { fromMs: at("2026-05-01T10:00:00Z"), toMs: at("2026-05-01T11:00:00Z") };
  const { days } = await summarizeEvents({ events, clock }, "tenant", span);
  t.strictSame(days, [{ date: "2026-05-01", counts: { "pass.created": 1 } }]);
});

t.test("parts of milliseconds count only where they lie within", async (t) => {
  const { events, asked } = storeOf({ fromMs: 0, toMs: clock.nowMs() });
  const fromMs = at("2026-05-01T10:00:00Z");
  await summarizeEvents({ events, clock }, "tenant", { fromMs: fromMs + 0.1, toMs: fromMs + 5.9 });
  t.strictSame(asked.spans, [{ fromMs: fromMs + 1, toMs: fromMs + 5 }]);
});

t.test("an end before the beginning is refused, also when the end is now", async (t) => {
  const { events } = storeOf(null);
  const refused = { code: "invalid_request", details: [{ path: "from", message: "must not be after to" }] };
  const summarize = (span: Partial<Span>) => summarizeEvents({ events, clock }, "tenant", span);
  await t.rejects(summarize({ fromMs: 2, toMs: 1 }), refused);
  await t.rejects(summarize({ fromMs: clock.nowMs() + 1 }), refused);
  await t.resolves(summarize({ fromMs: 1, toMs: 1 }));
});
