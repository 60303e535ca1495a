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
  /** So many records were open and in no queue, and were put back. */
  reconciled(count: number): void;
};

export const unobserved: WorkObserver = { begun() {}, ended() {}, reclaimed() {}, reconciled() {} };
