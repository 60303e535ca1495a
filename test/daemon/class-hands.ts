import t from "tap";
import { createClassHands, type Held } from "../../src/daemon/class-hands.ts";

const hands = (
  tenantId: string,
  count: number,
  given: { workClass?: "bulk"; sinceMs?: number } = {},
): Held[] =>
  Array.from({ length: count }, () => ({
    task: { workClass: given.workClass ?? "interactive", tenantId },
    sinceMs: given.sinceMs ?? 0,
  }));

function interactive(options: { allowed?: (working: number) => number; nowMs?: number } = {}) {
  return createClassHands({
    workClass: "interactive",
    most: 40,
    nowMs: () => options.nowMs ?? 0,
    ...(options.allowed && { allowed: options.allowed }),
  });
}

t.test("a tenant that is alone may have all hands", async (t) => {
  t.strictSame(interactive().offer([]), { count: 40, passOver: [] });
  t.strictSame(interactive().offer(hands("a", 30)), { count: 10, passOver: [] });
});

t.test(
  "where one tenant has them all, others are given some in addition, and it is passed over",
  async (t) => {
    const all = interactive().offer(hands("a", 40));
    t.strictSame(all, { count: 5, passOver: ["a"] });
  },
);

t.test("a tenant with few hands is not passed over, one with its share is", async (t) => {
  const { passOver } = interactive().offer([...hands("a", 36), ...hands("b", 4), ...hands("c", 5)]);
  t.strictSame(passOver, ["a", "c"]);
});

t.test("the additional hands end, too", async (t) => {
  const many = Array.from({ length: 60 }, (_, i) => hands(`tenant-${i}`, 1)).flat();
  t.equal(interactive().offer(many).count, 0);
});

t.test("work of another class takes no hands from this one", async (t) => {
  t.equal(interactive().offer(hands("a", 100, { workClass: "bulk" })).count, 40);
});

t.test("hands that only wait for an answer do not count as time that the process needs", async (t) => {
  const few = { allowed: () => 4, nowMs: 5000 };
  t.equal(interactive(few).offer(hands("a", 4, { sinceMs: 4500 })).passOver.length, 1, "these are at work");
  t.strictSame(interactive(few).offer(hands("a", 4, { sinceMs: 1000 })), { count: 4, passOver: [] });
  t.strictSame(
    interactive(few).offer(hands("a", 39, { sinceMs: 1000 })),
    { count: 1, passOver: [] },
    "up to as many as there are",
  );
  t.strictSame(interactive(few).offer(hands("a", 40, { sinceMs: 1000 })).passOver, ["a"]);
});
