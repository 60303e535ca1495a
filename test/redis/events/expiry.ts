import t from "tap";
import { createEventRetention, createEventStore } from "../../../src/redis/events.ts";
import { type EventToRecord, recordEvents } from "../../support/events.ts";
import { keysOf, openStore } from "../../support/store.ts";

const store = await openStore(t);
const { ids, keys } = store;
const events = createEventStore(store);
const retention = createEventRetention(store);
const start = Date.parse("2026-11-20T12:00:00.000Z");

/** A tenant with `count` events, one a second: every second of one pass (or as said), every tenth with a message. */
async function tenantWith(count: number, isOfPass = (i: number) => i % 2 === 0) {
  const [tenantId, passId, messageId] = [ids.uuid(), ids.uuid(), ids.uuid()];
  const all = Array.from(
    { length: count },
    (_, i): EventToRecord => ({
      id: ids.uuid(),
      type: i % 2 === 0 ? "pass.viewed" : "message.sent",
      passId: isOfPass(i) ? passId : null,
      messageId: i % 10 === 1 ? messageId : null,
      occurredAtMs: start + i * 1000,
    }),
  );
  const record = async (from: number, to: number) => {
    for (let i = from; i < to; i += 250)
      await recordEvents(store, tenantId, all.slice(i, Math.min(to, i + 250)));
  };
  const listed = async (filter: Parameters<typeof events.list>[1] = {}) => {
    const found: string[] = [];
    for (let page = 1; ; page += 1) {
      const { items, total } = await events.list(tenantId, filter, { page, pageSize: 100 });
      found.push(...items.map(({ id }) => id));
      if (items.length < 100) {
        t.equal(found.length, total, "the total is of those that are listed");
        return found;
      }
    }
  };
  const expire = async (beforeMs: number) => {
    const steps: number[] = [];
    for (let more = true; more; ) {
      const step = await retention.expire(tenantId, beforeMs);
      steps.push(step.expired);
      more = step.more;
    }
    return steps;
  };
  const stored = async () =>
    (await keysOf(store)).filter((key) => key.startsWith(`${keys.events(tenantId)}:`));
  return { tenantId, passId, all, record, listed, expire, stored };
}

t.test("what is older goes from every list at once, and what goes on stays whole", async (t) => {
  const tenant = await tenantWith(2000);
  await tenant.record(0, 1500);
  t.strictSame(await tenant.expire(start + 1_200_000), [1200]);
  await tenant.record(1500, 2000);

  const kept = tenant.all.slice(1200).toReversed();
  const idsOf = (some: readonly EventToRecord[]) => some.map(({ id }) => id);
  t.strictSame(await tenant.listed(), idsOf(kept));
  const viewed = idsOf(kept.filter(({ type }) => type === "pass.viewed"));
  t.strictSame(await tenant.listed({ type: "pass.viewed" }), viewed);
  t.strictSame(await tenant.listed({ passId: tenant.passId }), viewed, "also along the pass's chain");
  t.strictSame(await tenant.listed({ passId: tenant.passId, type: "pass.viewed" }), viewed);
  t.strictSame(await tenant.listed({ toMs: start + 1_199_999 }), []);
});

t.test("every page of a pass's list can be read, however much of its past is gone", async (t) => {
  const tenant = await tenantWith(1200);
  await tenant.record(0, 1200);
  for (const gone of [1, 300, 592, 593, 700, 1000, 1190]) {
    await tenant.expire(start + gone * 1000);
    const kept = tenant.all.filter(({ passId }, place) => place >= gone && passId !== null).toReversed();
    for (let skip = 0; skip <= kept.length; skip += 1) {
      const { items } = await events.list(
        tenant.tenantId,
        { passId: tenant.passId },
        { page: skip + 1, pageSize: 1 },
      );
      if (items[0]?.id !== kept[skip]?.id) t.equal(items[0]?.id, kept[skip]?.id, `${skip} of ${kept.length}`);
    }
  }
});

t.test("a pass whose every event is gone begins anew", async (t) => {
  for (const silentFrom of [100, 589]) {
    const tenant = await tenantWith(600, (i) => i < silentFrom || i >= 590);
    await tenant.record(0, 590);
    t.strictSame(await tenant.expire(start + 590_000), [590]);
    t.strictSame(await tenant.listed({ passId: tenant.passId }), []);
    t.strictSame(await tenant.listed(), []);
    await tenant.record(590, 600);
    const expected = tenant.all.slice(590).toReversed();
    t.strictSame(
      await tenant.listed({ passId: tenant.passId }),
      expected.map(({ id }) => id),
    );
  }
});

t.test("the strings of what is gone are removed, each in one step or another", async (t) => {
  const tenant = await tenantWith(6000);
  await tenant.record(0, 6000);
  const before = (await tenant.stored()).length;
  t.strictSame(await tenant.expire(start), [0], "nothing is too old");
  t.equal((await tenant.stored()).length, before);
  t.strictSame(await tenant.expire(start + 5_999_000), [4736, 1263], "in bounded steps");
  const { tenantId } = tenant;
  t.strictSame(
    await tenant.stored(),
    [
      ...[keys.eventLog(tenantId, 20), keys.eventMessages(tenantId, 20)],
      ...[
        `${keys.eventsByType(tenantId, "message.sent")}:10`,
        `${keys.eventsByType(tenantId, "pass.viewed")}:10`,
      ],
    ],
    "the last ones have room for more",
  );
  t.strictSame(await tenant.expire(start + 5_999_000), [0]);
});

t.test("the counters of a day outlive its events", async (t) => {
  const tenant = await tenantWith(10);
  await tenant.record(0, 10);
  await tenant.expire(start + 60_000);
  t.strictSame(await events.countDays(tenant.tenantId, ["2026-11-20"]), [
    { "message.sent": 5, "pass.viewed": 5 },
  ]);
});

t.test("a span of which some is gone is not counted by the events", async (t) => {
  const tenant = await tenantWith(10);
  await tenant.record(0, 10);
  await tenant.expire(start + 4000);
  const spans = [
    { fromMs: start + 3000, toMs: start + 9000 },
    { fromMs: start + 3001, toMs: start + 5000 },
  ];
  t.strictSame(await events.countSpans(tenant.tenantId, spans), [
    null,
    { "message.sent": 1, "pass.viewed": 1 },
  ]);
});

t.test("a tenant without events has nothing to let go of", async (t) => {
  t.strictSame(await retention.expire(ids.uuid(), Date.now()), { expired: 0, more: false });
});
