import t, { type Test } from "tap";
import type { CallPlace } from "../../src/domain/providers/call-rate.ts";
import { createCallRate } from "../../src/redis/call-rate.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { openStore, type TestStore } from "../support/store.ts";
import { until } from "../support/until.ts";

/** Longer than any test takes, so that what was let through stays in the window. */
const long = { requests: 10, windowMs: 600_000 };
/** Each line moves by one in so many milliseconds. */
const betweenMs = (600_000 * 1.05) / 10;

const fresh = (line: string): CallPlace => ({ line, waited: false });
const waited = (line = "a"): CallPlace => ({ line, waited: true });
const many = (count: number, place: CallPlace) => Array.from({ length: count }, () => place);
const granted = (waits: readonly number[]) => waits.filter((ms) => ms === 0).length;

async function opened(t: Test, limit = long) {
  const store = await openStore(t);
  return { store, here: createCallRate(store, limit), there: createCallRate(await store.another(), limit) };
}

/** How much later each turn is than the one before. */
function steps(waits: readonly number[]): number[] {
  return waits.slice(1).map((ms, index) => ms - (waits[index] ?? 0));
}

t.test(
  "so many calls are let through in a window, whichever process asks, and each account has its own",
  async (t) => {
    const { here, there } = await opened(t);
    t.equal(granted(await here.take("one", many(4, fresh("a")))), 4);
    t.equal(granted(await there.take("one", many(4, fresh("b")))), 4);
    const rest = await Promise.all([here, there].map((rate) => rate.take("one", many(3, waited()))));
    t.equal(granted(rest.flat()), 2);
    t.equal(granted(await here.take("two", many(12, fresh("a")))), 10);
  },
);

t.test("what is more gets turns one behind the other, at the rate", async (t) => {
  const { here } = await opened(t);
  const waits = (await here.take("one", many(30, fresh("a")))).slice(10);
  t.equal(granted(waits), 0);
  // Some come together, to go out as one request: on average the line moves at the rate.
  const span = (waits.at(-1) ?? 0) - (waits[0] ?? 0);
  t.ok(Math.abs(span - 19 * betweenMs) <= 600_000 / 4 + 1, `${span} ms for 19 turns`);
  t.ok(steps(waits).every((ms) => ms >= 0));
});

t.test("a long line delays nobody but its own", async (t) => {
  const { here } = await opened(t);
  const ofLong = await here.take("one", many(1000, fresh("long")));
  const [ofOther = 0] = await here.take("one", [fresh("other")]);
  t.ok(ofOther < 100 * betweenMs && ofOther > 0);
  t.ok((ofLong.at(-1) ?? 0) > 900 * betweenMs);
});

t.test("who has stood in line goes before those who come", async (t) => {
  const { here } = await opened(t);
  await here.take("one", many(9, fresh("a")));
  const waits = await here.take("one", [fresh("a"), fresh("b"), waited()]);
  t.equal(waits[2], 0);
  t.equal(granted(waits), 1);
});

t.test("the window slides: what has left it makes room, and no window ever holds more", async (t) => {
  const limit = { requests: 20, windowMs: 100 };
  const { here, there } = await opened(t, limit);
  const times: number[] = [];
  await until("several windows have passed", async () => {
    for (const rate of [here, there]) {
      const before = performance.now();
      const count = granted(await rate.take("one", many(7, waited())));
      // Let through at some time between question and answer: the later the question, the fuller any window looks.
      for (let i = 0; i < count; i++) times.push(before);
    }
    return times.length >= 100;
  });
  for (const [index, at] of times.entries()) {
    const later = times[index + limit.requests];
    // Two instants of asking may each be off by one round trip, for which the slack of the window is.
    if (later !== undefined) t.ok(later - at >= limit.windowMs - 20, `${later - at} ms`);
  }
});

t.test(
  "what the wallet finds too much holds everybody, for as long as it asks or longer each time",
  async (t) => {
    const { here, there } = await opened(t);
    t.ok((await here.hold("one", 30_000)) > 29_000);
    const [ms = 0] = await there.take("one", [waited()]);
    t.ok(ms > 29_000, `${ms} ms`);
    t.equal(granted(await there.take("two", [waited()])), 1, "everybody of this account");
    const [, again] = [await here.hold("one", null), await here.hold("one", 90_000)];
    t.ok(again > 89_000, "the longest that was asked for counts");

    // What was under way when a hold began is no reason for a longer one.
    const first = await here.hold("three", null);
    t.ok(first > 900 && first <= 1000, `${first} ms`);
    t.ok((await there.hold("three", null)) <= 1000);
    await endHold(here, "three");
    const second = await here.hold("three", null);
    t.ok(second > 1900 && second <= 2000, `${second} ms`);
  },
);

async function endHold(rate: ReturnType<typeof createCallRate>, account: string): Promise<void> {
  await until("the hold is over", async () => granted(await rate.take(account, [waited()])) === 1);
}

t.test("what is known of an account goes when it is quiet", async (t) => {
  const { store, here } = await opened(t, { requests: 2, windowMs: 20 });
  await here.take("one", many(20, fresh("a")));
  const key = store.keys.calls("one");
  const before = await fieldsOf(store, key);
  t.ok(before.some((name) => name.startsWith("line:")));
  await until("the line is over", async () => {
    await here.take("one", [waited()]);
    return (await fieldsOf(store, key)).every((name) => name !== "line:a");
  });
  const left = await store.connection.pttl(key);
  t.ok(left > 60_000 && left < 200_000, `${left} ms`);
});

function fieldsOf({ connection }: TestStore, key: string): Promise<string[]> {
  return connection.hkeys(key);
}

t.test("a store that has no memory left lets calls of what is in hand through, and holds them", async (t) => {
  const server = await startRedisServer(t);
  const store = await openStore(t, { url: server.url });
  await store.connection.config("SET", "maxmemory", "1");
  const rate = createCallRate(store, long);
  t.equal(granted(await rate.take("one", many(12, fresh("a")))), 10);
  t.equal(await rate.hold("one", 5000), 5000);
  t.equal(granted(await rate.take("two", many(2, fresh("a")))), 2);
  await store.connection.config("SET", "maxmemory", "0");
});
