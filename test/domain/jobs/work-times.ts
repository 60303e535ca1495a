import t from "tap";
import type { Task } from "../../../src/domain/jobs/work.ts";
import { createWorkTimes, noTimes, quantileMs, sumOfTimes } from "../../../src/domain/jobs/work-times.ts";
import { settableClock } from "../../support/clock.ts";

const clock = settableClock();

/** A piece of work that was accepted so long ago. */
function workOf(acceptedMsAgo: number, record: Record<string, string> = {}): Task {
  const created_at = String(clock.nowMs() - acceptedMsAgo);
  return {
    workClass: "interactive",
    kind: "job",
    lane: "apple",
    record: { created_at, ...record },
  } as unknown as Task;
}

t.test("a quantile is at most a fifth off, from a millisecond to an hour", async (t) => {
  for (const ms of [3, 10, 47, 333, 1000, 12_345, 3_000_000]) {
    const times = createWorkTimes(clock);
    for (let each = 0; each < 100; each += 1) times.begun(workOf(ms));
    const found = quantileMs(times.recent().interactive.started, 0.5) ?? 0;
    t.ok(Math.abs(found - ms) <= ms / 5, `${ms} ms is told as ${found}`);
  }
});

t.test("half of the work is apart from nearly all of it", async (t) => {
  const times = createWorkTimes(clock);
  for (let each = 0; each < 97; each += 1) times.ended(workOf(10), "completed");
  for (let each = 0; each < 3; each += 1) times.ended(workOf(5000), "failed");
  const { done, started } = times.recent().interactive;
  t.ok((quantileMs(done, 0.5) ?? 0) < 15);
  t.ok((quantileMs(done, 0.99) ?? 0) > 3500);
  t.equal(quantileMs(started, 0.5), null, "none of it has begun here");
});

t.test("only first attempts begin, and only what is over ends", async (t) => {
  const times = createWorkTimes(clock);
  times.begun(workOf(10, { "apple:attempts": "1" }));
  for (const outcome of ["retrying", "parked", "lost", "handed_back"]) times.ended(workOf(10), outcome);
  times.begun(workOf(Number.NaN));
  t.strictSame(times.recent(), noTimes());
});

t.test("what is more than a minute old is told no more", async (t) => {
  const times = createWorkTimes(clock);
  times.begun(workOf(10));
  clock.forward(45_000);
  times.begun(workOf(10));
  t.equal(sumOf(times.recent().interactive.started), 2);
  clock.forward(30_000);
  t.equal(sumOf(times.recent().interactive.started), 1);
  clock.forward(60_000);
  t.equal(sumOf(times.recent().interactive.started), 0);
});

t.test("what several workers tell adds up", async (t) => {
  const [one, other] = [createWorkTimes(clock), createWorkTimes(clock)];
  for (let each = 0; each < 3; each += 1) one.begun(workOf(10));
  other.begun(workOf(1000));
  const { started } = sumOfTimes([one.recent(), other.recent()]).interactive;
  t.equal(sumOf(started), 4);
  t.ok((quantileMs(started, 0.99) ?? 0) > 700);
  t.strictSame(sumOfTimes([]), noTimes());
});

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
