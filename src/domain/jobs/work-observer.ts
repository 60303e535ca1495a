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
