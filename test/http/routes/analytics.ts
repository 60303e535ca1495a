import t from "tap";
import { eventTypes } from "../../../src/domain/events/event.ts";
import { openApi } from "../../support/api.ts";
import { type EventToRecord, recordEvents } from "../../support/events.ts";

const api = await openApi(t);
const { ids } = api;
const path = "/api/v1/analytics/events";
const summaryPath = "/api/v1/analytics/summary";

/** A caller whose tenant has one event of each type, a minute apart, the latest now. */
async function opened() {
  const caller = await api.caller();
  const passId = ids.uuid();
  const nowMs = api.clock.nowMs();
  const events = eventTypes.map(
    (type, place): EventToRecord => ({
      id: ids.uuid(),
      type,
      ...(type.startsWith("pass.") && { passId, templateId: ids.uuid() }),
      ...(type === "message.sent" && { messageId: ids.uuid() }),
      occurredAtMs: nowMs - (eventTypes.length - 1 - place) * 60_000,
    }),
  );
  await recordEvents(api.store, caller.tenantId, events);
  return { caller, passId, events };
}

const shown = ({ id, type, passId, templateId, messageId, occurredAtMs }: EventToRecord) => ({
  id,
  event_type: type,
  pass_id: passId ?? null,
  template_id: templateId ?? null,
  message_id: messageId ?? null,
  occurred_at: new Date(occurredAtMs).toISOString(),
});

t.test("the events of a tenant are listed, newest first", async (t) => {
  const { caller, events } = await opened();
  const reply = await caller.get(path);
  t.equal(reply.status, 200);
  t.strictSame(reply.json, { data: events.map(shown).toReversed(), total: 12, page: 1, page_size: 20 });
  const page = await caller.get(`${path}?page=2&page_size=5`);
  t.strictSame(page.json, {
    data: events.map(shown).toReversed().slice(5, 10),
    total: 12,
    page: 2,
    page_size: 5,
  });
  t.strictSame((await (await api.caller()).get(path)).json.total, 0, "another tenant has none");
});

t.test("every filter narrows the list, alone and with others", async (t) => {
  const { caller, passId, events } = await opened();
  const listed = async (query: Record<string, string>) =>
    (await caller.get(`${path}?${new URLSearchParams(query)}`)).json.data.map(({ id }: { id: string }) => id);
  const expected = (matches: (event: EventToRecord, place: number) => boolean) =>
    events
      .filter(matches)
      .map(({ id }) => id)
      .toReversed();
  const instant = (place: number) => new Date(events[place]?.occurredAtMs ?? 0).toISOString();
  const withOffset = instant(3).replace(/T.*/, (time) => time.replace("Z", "+00:00"));

  t.strictSame(
    await listed({ pass_id: passId }),
    expected(({ passId: id }) => id === passId),
  );
  t.strictSame(
    await listed({ pass_id: passId.toUpperCase(), event_type: "pass.viewed" }),
    expected(({ type }) => type === "pass.viewed"),
  );
  t.strictSame(await listed({ pass_id: ids.uuid() }), []);
  t.strictSame(
    await listed({ event_type: "job.failed" }),
    expected(({ type }) => type === "job.failed"),
  );
  t.strictSame(
    await listed({ from: instant(2), to: instant(6) }),
    expected((_, place) => place >= 2 && place <= 6),
    "both ends are included",
  );
  t.strictSame(
    await listed({ from: withOffset, pass_id: passId }),
    expected(({ passId: id }, place) => place >= 3 && id === passId),
  );
  t.strictSame((await caller.get(`${path}?from=${withOffset}`)).json.total, 9, "a plus that nobody escaped");
});

// biome-ignore format: read as a table
const refused: readonly [query: string, parameter: string][] = [
  ["event_type=pass.deleted",            "event_type"],
  ["event_type=",                        "event_type"],
  ["pass_id=42",                         "pass_id"],
  ["from=yesterday",                     "from"],
  ["to=2026-11-21",                      "to"],
  ["from=2026-11-21T00:00:00",           "from"],
  ["from=2026-11-21T00:00:00.001Z&to=2026-11-21T00:00:00Z", "from"],
  ["from=2026-11-21T00:00:00Z&from=2026-11-21T00:00:00Z", "from"],
  ["page=0",                             "page"],
  ["page_size=101",                      "page_size"],
];

for (const [query, parameter] of refused) {
  t.test(`${query} is refused, and ${parameter} named`, async (t) => {
    const caller = await api.caller();
    const replies = [await caller.get(`${path}?${query}`)];
    if (/^(from|to)=/.test(query)) replies.push(await caller.get(`${summaryPath}?${query}`));
    for (const { status, json } of replies) {
      t.equal(status, 400);
      t.equal(json.error, "invalid_request");
      t.strictSame(
        json.details.map((detail: { path: string }) => detail.path),
        [parameter],
      );
    }
  });
}

t.test("a summary counts by day and type, by default over the last 30 days", async (t) => {
  const { caller, events } = await opened();
  const nowMs = api.clock.nowMs();
  const reply = await caller.get(summaryPath);
  t.equal(reply.status, 200);
  const { days, totals, ...rest } = reply.json;
  t.strictSame(rest, {
    from: new Date(nowMs - 30 * 24 * 3_600_000).toISOString(),
    to: new Date(nowMs).toISOString(),
    active_passes: 0,
  });
  t.strictSame(totals, Object.fromEntries(eventTypes.map((type) => [type, 1])));
  const byDay = Map.groupBy(events, ({ occurredAtMs }) => new Date(occurredAtMs).toISOString().slice(0, 10));
  t.strictSame(
    days,
    [...byDay].map(([date, some]) => ({
      date,
      counts: Object.fromEntries(some.map(({ type }) => [type, 1])),
    })),
  );

  const from = new Date(events[10]?.occurredAtMs ?? 0).toISOString();
  const late = await caller.get(`${summaryPath}?from=${from}`);
  t.strictSame(late.json.totals, { "pass.uninstalled": 1, "pass.viewed": 1 });
});

t.test("a tenant where nothing happened has a summary too", async (t) => {
  const { json } = await (await api.caller()).get(
    `${summaryPath}?from=2026-01-01T00:00:00Z&to=2026-01-31T00:00:00Z`,
  );
  t.strictSame(json, {
    from: "2026-01-01T00:00:00.000Z",
    to: "2026-01-31T00:00:00.000Z",
    days: [],
    totals: {},
    active_passes: 0,
  });
});

t.test("both need the scope analytics:read", async (t) => {
  const caller = await api.caller({ scopes: ["passes:read", "webhooks:write"] });
  for (const at of [path, summaryPath]) {
    const { status, json, headers } = await caller.get(at);
    t.strictSame([status, json.error], [403, "insufficient_scope"]);
    t.match(headers["www-authenticate"], /scope="analytics:read"/);
  }
  const reader = await api.caller({ scopes: ["analytics:read"] });
  t.equal((await reader.get(path)).status, 200);
});
