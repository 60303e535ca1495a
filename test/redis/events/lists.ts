import fc from "fast-check";
import t from "tap";
import {
  type EventFilter,
  type EventType,
  eventTypes,
  type RecordedEvent,
} from "../../../src/domain/events/event.ts";
import { createEventRetention, createEventStore } from "../../../src/redis/events.ts";
import { recordEvents } from "../../support/events.ts";
import { openStore } from "../../support/store.ts";

const store = await openStore(t);
const { ids, connection, keys } = store;
const events = createEventStore(store);
const start = Date.parse("2026-11-20T23:59:50.000Z");
const onePage = { page: 1, pageSize: 100 };

/** An event with everything that it may have; what is given counts. */
function event(given: Partial<RecordedEvent> = {}): RecordedEvent {
  return {
    id: ids.uuid(),
    type: "pass.created",
    passId: null,
    templateId: null,
    messageId: null,
    occurredAtMs: start,
    ...given,
  };
}

/** What a plain list of everything would answer. */
function modelList(
  all: readonly RecordedEvent[],
  filter: EventFilter,
  page: { page: number; pageSize: number },
) {
  const matching = all
    .filter(
      ({ type, passId, occurredAtMs: at }) =>
        (filter.type === undefined || type === filter.type) &&
        (filter.passId === undefined || passId === filter.passId) &&
        at >= (filter.fromMs ?? at) &&
        at <= (filter.toMs ?? at),
    )
    .toReversed();
  const skip = (page.page - 1) * page.pageSize;
  return { items: matching.slice(skip, skip + page.pageSize), total: matching.length };
}

t.test("an event is read as it was recorded, with whatever it is about", async (t) => {
  const tenantId = ids.uuid();
  const all = [
    event({ type: "pass.created", passId: ids.uuid(), templateId: ids.uuid() }),
    event({ type: "message.sent", templateId: ids.uuid(), messageId: ids.uuid() }),
    event({ type: "message.sent", passId: ids.uuid(), templateId: ids.uuid(), messageId: ids.uuid() }),
    event({ type: "batch.completed", occurredAtMs: start + 1 }),
  ];
  await recordEvents(store, tenantId, all);
  t.strictSame(await events.list(tenantId, {}, onePage), { items: all.toReversed(), total: 4 });
});

t.test("every type that there is can be recorded and listed by", async (t) => {
  const tenantId = ids.uuid();
  const all = eventTypes.map((type) => event({ type }));
  await recordEvents(store, tenantId, all);
  for (const one of all) {
    t.strictSame(await events.list(tenantId, { type: one.type }, onePage), { items: [one], total: 1 });
  }
});

t.test(
  "events of one instant are listed in the order of recording, newest first, page by page",
  async (t) => {
    const tenantId = ids.uuid();
    const all = Array.from({ length: 7 }, () => event());
    await recordEvents(store, tenantId, all);
    const pages = [1, 2, 3, 4].map((page) => events.list(tenantId, {}, { page, pageSize: 3 }));
    const newest = all.toReversed();
    t.strictSame(
      (await Promise.all(pages)).map(({ items }) => items),
      [newest.slice(0, 3), newest.slice(3, 6), newest.slice(6), []],
    );
  },
);

t.test("a tenant's events are its own, of an unknown pass there are none", async (t) => {
  const [one, two, passId] = [ids.uuid(), ids.uuid(), ids.uuid()];
  await recordEvents(store, one, [event({ passId })]);
  const none = { items: [], total: 0 };
  for (const filter of [
    {},
    { passId },
    { type: "pass.created" },
    { passId, type: "pass.created" },
  ] as const) {
    t.strictSame(await events.list(two, filter, onePage), none);
  }
  t.strictSame(await events.list(one, { passId: ids.uuid() }, onePage), none);
});

t.test(
  "an instant before the latest becomes the latest, in the list and in the day's counters",
  async (t) => {
    const tenantId = ids.uuid();
    const midnight = Date.parse("2026-11-21T00:00:00.000Z");
    await recordEvents(store, tenantId, [
      event({ occurredAtMs: midnight }),
      event({ occurredAtMs: midnight - 5 }),
    ]);
    const { items } = await events.list(tenantId, {}, onePage);
    t.strictSame(
      items.map(({ occurredAtMs }) => occurredAtMs),
      [midnight, midnight],
    );
    t.strictSame(await events.countDays(tenantId, ["2026-11-20", "2026-11-21"]), [{}, { "pass.created": 2 }]);
  },
);

t.test("any list, by any filters and of any page, is what a plain list would answer", async (t) => {
  const passes = Array.from({ length: 4 }, () => ids.uuid());
  const templates = Array.from({ length: 2 }, () => ids.uuid());
  const types: EventType[] = ["pass.created", "pass.viewed", "message.sent"];
  const anyEvent = fc.record({
    type: fc.constantFrom(...types),
    passId: fc.option(fc.constantFrom(...passes)),
    templateId: fc.option(fc.constantFrom(...templates)),
    messageId: fc.option(fc.constantFrom(...templates), { freq: 9 }),
    // Many at one instant, and now and then a leap.
    afterMs: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(40_000)),
  });
  // Of an event, and one beside it; or any.
  const anyInstant = fc.option(
    fc.oneof(
      fc.record({ place: fc.nat(), besideMs: fc.integer({ min: -1, max: 1 }) }),
      fc.record({ place: fc.constant(-1), besideMs: fc.integer({ min: -10, max: 3_000_000 }) }),
    ),
    { nil: undefined },
  );
  const anyQuestion = fc.record({
    type: fc.option(fc.constantFrom(...types), { nil: undefined }),
    passId: fc.option(fc.constantFrom(...passes), { nil: undefined }),
    from: anyInstant,
    to: anyInstant,
    page: fc.integer({ min: 1, max: 6 }),
    pageSize: fc.constantFrom(1, 7, 20, 100),
  });
  const retention = createEventRetention(store);

  await fc.assert(
    fc.asyncProperty(
      fc.array(anyEvent, { maxLength: 700, size: "max" }),
      fc.array(anyQuestion, { minLength: 30, maxLength: 30 }),
      fc.option(fc.nat(1_500_000)),
      async (drafts, questions, expiry) => {
        const tenantId = ids.uuid();
        const record = async (some: readonly RecordedEvent[]) => {
          for (let i = 0; i < some.length; i += 100) {
            await recordEvents(store, tenantId, some.slice(i, i + 100));
          }
        };
        let at = start;
        const recorded = drafts.map(({ afterMs, ...draft }) => {
          at += afterMs;
          return event({ ...draft, occurredAtMs: at });
        });
        const half = Math.floor(recorded.length / 2);
        let all = recorded.slice(0, half);
        await record(all);
        if (expiry !== null) {
          await retention.expire(tenantId, start + expiry);
          all = all.filter(({ occurredAtMs }) => occurredAtMs >= start + expiry);
        }
        await record(recorded.slice(half));
        all.push(...recorded.slice(half));

        const instantOf = ({ place, besideMs }: { place: number; besideMs: number }) =>
          (recorded[place % recorded.length]?.occurredAtMs ?? start) + besideMs;
        for (const { from, to, page, pageSize, type, passId } of questions) {
          const filter = {
            ...(type !== undefined && { type }),
            ...(passId !== undefined && { passId }),
            ...(from !== undefined && { fromMs: instantOf(from) }),
            ...(to !== undefined && { toMs: instantOf(to) }),
          };
          const expected = modelList(all, filter, { page, pageSize });
          const found = await events.list(tenantId, filter, { page, pageSize });
          if (JSON.stringify(found) !== JSON.stringify(expected)) {
            t.strictSame(found, expected);
            return false;
          }
        }
        for (const passId of passes) await connection.unlink(keys.pass(tenantId, passId));
        return true;
      },
    ),
    { numRuns: 60, endOnFailure: true },
  );
  t.pass("60 histories, 30 questions each");
});

t.test("a pass with very many events is listed from its first to its last, also by type", async (t) => {
  const [tenantId, passId] = [ids.uuid(), ids.uuid()];
  const all = Array.from({ length: 1500 }, (_, i) =>
    event({
      passId: i % 5 === 4 ? ids.uuid() : passId,
      type: i % 3 === 0 ? "pass.viewed" : "pass.updated",
      occurredAtMs: start + i,
    }),
  );
  for (let i = 0; i < all.length; i += 250) await recordEvents(store, tenantId, all.slice(i, i + 250));
  for (const filter of [{ passId }, { passId, type: "pass.viewed" as const }]) {
    const { total } = modelList(all, filter, onePage);
    for (let page = 1; page <= Math.ceil(total / 100) + 1; page += 1) {
      const found = await events.list(tenantId, filter, { page, pageSize: 100 });
      t.strictSame(found, modelList(all, filter, { page, pageSize: 100 }));
    }
  }
});
