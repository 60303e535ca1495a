import type { RecordKind, WorkClass } from "./work.ts";
import type { WorkTimes } from "./work-times.ts";

/** ready: nobody has taken it; active: in a worker's hands; delayed: put off until its next attempt. */
export const workStates = ["active", "ready", "delayed"] as const;
export type WorkState = (typeof workStates)[number];

/** A piece of work in the queue, as the queue names it. */
export type QueuedWork = {
  state: WorkState;
  workClass: WorkClass;
  tenantId: string;
  kind: RecordKind;
  id: string;
  lane: string;
  /** Active: since when. Delayed: until when. Ready: null, its record knows. */
  atMs: number | null;
};

export type WorkerPresence = {
  /** HOST:PID:UUID, new with each start. */
  name: string;
  lastBeatMs: number;
  /** What it has in hand. */
  busy: Record<WorkClass, number>;
  /** How long ago it renewed its leases; null where it has nothing in hand. */
  renewedMs: number | null;
};

/** Work that a worker holds, and how long ago it showed that it still works on it. */
export type HeldWork = QueuedWork & { worker: string; silentMs: number };

/** How much has ever passed; the difference between two looks is a rate. */
export type QueueFlow = { taken: Record<WorkClass, number>; events: number; deadLetters: number };

/** What operators look at. Each look costs the same however much there is. */
export type QueueLook = {
  /** What is first in each state, up to `limit` of each. */
  work(limit: number): Promise<QueuedWork[]>;
  /** Those that were heard of in the last hour, the latest first. */
  workers(): Promise<WorkerPresence[]>;
  held(worker: string, limit: number): Promise<HeldWork[]>;
  /** What these workers' work took in the last minute, together. */
  times(workers: readonly string[]): Promise<WorkTimes>;
  flow(): Promise<QueueFlow>;
};

/** A worker says that it is there, and what its work took lately. */
export type WorkerRoll = { beat(times: WorkTimes): Promise<void>; leave(): Promise<void> };
