import type { Task } from "./work.ts";

/** Hears what becomes of the work that a worker takes. */
export type WorkObserver = {
  begun(task: Task): void;
  /**
   * `outcome` is what the handler reported, or interrupted, handed_back, or lost: somebody else has the work now, and it may have
   * been done twice.
   */
  ended(task: Task, outcome: string): void;
  /** So many leases ran out, of this worker or of others, and their work was put back. */
  reclaimed(count: number): void;
  /** So many pieces of work had been lost from the queue, and were found again by their records. */
  restored(count: number): void;
};

export const unobserved: WorkObserver = { begun() {}, ended() {}, reclaimed() {}, restored() {} };

/** All of them hear the same. */
export function observeAll(observers: readonly Partial<WorkObserver>[]): WorkObserver {
  return {
    begun(task) {
      for (const observer of observers) observer.begun?.(task);
    },
    ended(task, outcome) {
      for (const observer of observers) observer.ended?.(task, outcome);
    },
    reclaimed(count) {
      for (const observer of observers) observer.reclaimed?.(count);
    },
    restored(count) {
      for (const observer of observers) observer.restored?.(count);
    },
  };
}

/** After these the work itself is not over, or was not for us to end. */
const openOutcomes = new Set([
  ...["retrying", "in_line", "parked", "held", "interrupted", "handed_back", "lost", "gone"],
]);

export function endsWork(outcome: string): boolean {
  return !openOutcomes.has(outcome);
}

/** Not by the attempt's number: those that do not count, and those of a replay, begin with 1 again. */
export function isFirstAttempt({ record, lane }: Task): boolean {
  return record[`${lane}:attempts`] === undefined;
}

/** How long ago a piece of work was accepted; null where its record does not say. */
export function sinceAcceptedMs({ record }: Task, nowMs: number): number | null {
  // Two machines' clocks: what was accepted «later» than now was accepted just now.
  const ms = Math.max(0, nowMs - Number(record.created_at));
  return Number.isFinite(ms) ? ms : null;
}
