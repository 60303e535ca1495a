import type { WorkClass } from "./work.ts";

/** How much work there is at an instant, over all tenants. */
export type QueueDepth = {
  classes: Record<WorkClass, ClassDepth>;
  /** Of the partition that has the most: what bounds are compared with. Put off work waits, too. */
  fullest: { waiting: number; deadLetters: number };
  /** Events that no webhook has been looked up for yet. */
  outbox: { events: number; oldestMs: number };
};

export type ClassDepth = {
  /** Nobody has taken these. */
  ready: number;
  /** In some worker's hands. */
  active: number;
  /** Put off until their next attempt. */
  delayed: number;
  /** Given up, and kept until somebody deals with them. */
  deadLetters: number;
  /** How long the first of the ready ones has been ready; 0 when there is none. */
  oldestReadyMs: number;
};

/** Costs the same however much waits. Rejects with `unavailable` while the store is away. */
export type ReadQueueDepth = () => Promise<QueueDepth>;
