import { type WorkClass, workClasses } from "./work.ts";
import { endsWork, isFirstAttempt, sinceAcceptedMs, type WorkObserver } from "./work-observer.ts";

/** How many times fell into each bucket. Bucket N ends at √2 to the Nth milliseconds, which is a millisecond to an hour. */
export type Times = readonly number[];

/** Of each class: from acceptance to the begin of the first attempt, and to the end, whatever that was. */
export type WorkTimes = Record<WorkClass, { started: Times; done: Times }>;

const buckets = 45;
const slotMs = 10_000;
/** What is told is of the last minute. */
const slots = 6;

export function noTimes(): WorkTimes {
  return ofEachClass(() => ({ started: [], done: [] }));
}

/** The times of several workers together. */
export function sumOfTimes(all: readonly WorkTimes[]): WorkTimes {
  return ofEachClass((name) => ({
    started: sumOfCounts(all.map((times) => times[name].started)),
    done: sumOfCounts(all.map((times) => times[name].done)),
  }));
}

/** What so large a share (0.99) of the times stayed within, in ms, at most a fifth off; null where there are none. */
export function quantileMs(times: Times, share: number): number | null {
  const total = times.reduce((sum, count) => sum + count, 0);
  let left = total * share;
  for (const [bucket, count] of times.entries()) {
    if (count > 0 && left <= count) {
      const low = bucket === 0 ? 0 : endMs(bucket - 1);
      return low + (endMs(bucket) - low) * (left / count);
    }
    left -= count;
  }
  return null;
}

/** Hears what a worker does and tells the times of the last minute. */
export function createWorkTimes(clock: { nowMs(): number }): Pick<WorkObserver, "begun" | "ended"> & {
  recent(): WorkTimes;
} {
  type Slot = { number: number; counts: Record<WorkClass, { started: number[]; done: number[] }> };
  const ring: Slot[] = [];

  function count(name: WorkClass, what: "started" | "done", ms: number): void {
    const number = Math.floor(clock.nowMs() / slotMs);
    let slot = ring[number % slots];
    if (slot?.number !== number) {
      slot = { number, counts: ofEachClass(() => ({ started: [], done: [] })) };
      ring[number % slots] = slot;
    }
    const counts = slot.counts[name][what];
    const bucket = bucketOf(ms);
    while (counts.length <= bucket) counts.push(0);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }

  return {
    begun(task) {
      const ms = sinceAcceptedMs(task, clock.nowMs());
      if (ms !== null && isFirstAttempt(task)) count(task.workClass, "started", ms);
    },
    ended(task, outcome) {
      const ms = sinceAcceptedMs(task, clock.nowMs());
      if (ms !== null && endsWork(outcome)) count(task.workClass, "done", ms);
    },
    recent() {
      const oldest = Math.floor(clock.nowMs() / slotMs) - slots;
      return sumOfTimes(
        ring.filter((slot) => slot !== undefined && slot.number > oldest).map(({ counts }) => counts),
      );
    },
  };
}

function bucketOf(ms: number): number {
  return ms <= 1 ? 0 : Math.min(Math.ceil(2 * Math.log2(ms)), buckets - 1);
}

function endMs(bucket: number): number {
  return 2 ** (bucket / 2);
}

function sumOfCounts(all: readonly Times[]): Times {
  const length = Math.max(0, ...all.map((times) => times.length));
  return Array.from({ length }, (_, bucket) => all.reduce((sum, times) => sum + (times[bucket] ?? 0), 0));
}

function ofEachClass<Value>(make: (name: WorkClass) => Value): Record<WorkClass, Value> {
  return Object.fromEntries(workClasses.map((name) => [name, make(name)])) as Record<WorkClass, Value>;
}
