import t from "tap";
import { nextAttemptAtMs } from "../../src/domain/retry.ts";

const schedule = [0, 10_000, 60_000, 600_000, 3_600_000];
const nowMs = Date.parse("2026-11-21T06:43:46.625Z");
const middle = { nowMs, random: 0.5 };

t.test("after each failed attempt comes the wait of the next, and after the last one none", async (t) => {
  const waits = [1, 2, 3, 4].map((attempt) => (nextAttemptAtMs(schedule, attempt, middle) ?? 0) - nowMs);
  t.strictSame(waits, [10_000, 60_000, 600_000, 3_600_000]);
  t.equal(nextAttemptAtMs(schedule, 5, middle), null);
  t.equal(nextAttemptAtMs(schedule, 6, middle), null);
  t.equal(nextAttemptAtMs([0], 1, middle), null, "a schedule of one entry is one attempt");
});

t.test("waits vary by 20 % either way, over that whole range", async (t) => {
  t.equal(nextAttemptAtMs(schedule, 1, { nowMs, random: 0 }), nowMs + 8000);
  t.equal(nextAttemptAtMs(schedule, 1, { nowMs, random: 1 - Number.EPSILON }), nowMs + 12_000);
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (let round = 0; round < 10_000; round += 1) {
    const attempt = 1 + Math.floor(Math.random() * 4);
    const planned = schedule[attempt] ?? 0;
    const dueAtMs = nextAttemptAtMs(schedule, attempt, { nowMs, random: Math.random() }) ?? 0;
    if (!Number.isInteger(dueAtMs)) t.fail(`${dueAtMs} is no whole millisecond`);
    const ratio = (dueAtMs - nowMs) / planned;
    least = Math.min(least, ratio);
    most = Math.max(most, ratio);
  }
  t.ok(least >= 0.8 && least < 0.81, `the shortest is 0.8 of the plan: ${least}`);
  t.ok(most <= 1.2 && most > 1.19, `the longest is 1.2 of the plan: ${most}`);
});

t.test("what the other side asks for is waited for, when it is later than planned", async (t) => {
  t.equal(nextAttemptAtMs(schedule, 1, { ...middle, askedSeconds: 120 }), nowMs + 120_000);
  t.equal(nextAttemptAtMs(schedule, 1, { ...middle, askedSeconds: 3 }), nowMs + 10_000);
  t.equal(nextAttemptAtMs(schedule, 1, { ...middle, askedSeconds: 0 }), nowMs + 10_000);
  t.equal(
    nextAttemptAtMs(schedule, 5, { ...middle, askedSeconds: 120 }),
    null,
    "but not past the last attempt",
  );
});

t.test("nobody makes us wait for more than an hour", async (t) => {
  for (const askedSeconds of [3600, 3601, 86_400, 1e12, Number.POSITIVE_INFINITY]) {
    t.equal(nextAttemptAtMs(schedule, 1, { ...middle, askedSeconds }), nowMs + 3_600_000);
  }
  t.equal(
    nextAttemptAtMs(schedule, 4, { nowMs, random: 1, askedSeconds: 3600 }),
    nowMs + 4_320_000,
    "a plan of our own may be longer",
  );
});
