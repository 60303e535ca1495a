import t from "tap";
import { createClassHands } from "../../src/daemon/class-hands.ts";

/** Forty hands, unless the process has the time for fewer; so many of them have begun for each tenant, at the given time. */
function hands(
  inUse: Record<string, number>,
  { allowed, sinceMs = 0, nowMs = 0 }: { allowed?: number; sinceMs?: number; nowMs?: number } = {},
) {
  let now = sinceMs;
  const own = createClassHands({
    workClass: "interactive",
    most: 40,
    nowMs: () => now,
    ...(allowed !== undefined && { allowed: () => allowed }),
  });
  const ends = Object.entries(inUse).flatMap(([tenantId, count]) =>
    Array.from({ length: count }, () => own.begin({ tenantId })),
  );
  now = nowMs;
  return { ...own, ends };
}

t.test("a tenant that is alone may have all hands", async (t) => {
  t.strictSame(hands({}).offer(), { count: 40, passOver: [] });
  t.strictSame(hands({ a: 30 }).offer(), { count: 10, passOver: [] });
});

t.test(
  "where one tenant has them all, others are given some in addition, and it is passed over",
  async (t) => {
    const own = hands({ a: 40 });
    t.strictSame(own.offer(), { count: 5, passOver: ["a"] });
    own.ends[7]?.();
    t.strictSame(own.offer(), { count: 1, passOver: [] }, "until a hand is free again");
  },
);

t.test("a tenant with few hands is not passed over, one with its share is", async (t) => {
  t.strictSame(hands({ a: 36, b: 4, c: 5 }).offer().passOver, ["a", "c"]);
});

t.test("the additional hands end, too", async (t) => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`tenant-${i}`, 1]));
  t.strictSame(hands(many).offer(), { count: 0, passOver: [] });
});

t.test("hands that only wait for an answer do not count as time that the process needs", async (t) => {
  const few = { allowed: 4, nowMs: 5000 };
  t.strictSame(hands({ a: 4 }, { ...few, sinceMs: 4500 }).offer().passOver, ["a"], "these are at work");
  t.strictSame(hands({ a: 4 }, { ...few, sinceMs: 1000 }).offer(), { count: 4, passOver: [] });
  t.strictSame(
    hands({ a: 39 }, { ...few, sinceMs: 1000 }).offer(),
    { count: 1, passOver: [] },
    "up to as many as there are",
  );
  t.strictSame(hands({ a: 40 }, { ...few, sinceMs: 1000 }).offer().passOver, ["a"]);
});

t.test("hands that are kept for work that is asked for are nobody else's", async (t) => {
  const own = hands({ a: 30 });
  const release = own.reserve(7);
  t.strictSame(own.offer(), { count: 3, passOver: [] });
  const releaseRest = own.reserve(3);
  t.strictSame(
    own.offer(),
    { count: 0, passOver: [] },
    "whose they will be is not known, so nobody is passed over",
  );
  release();
  t.strictSame(own.offer(), { count: 7, passOver: [] });
  releaseRest();
  t.strictSame(own.offer(), { count: 10, passOver: [] });
});
