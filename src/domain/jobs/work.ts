import type { ErrorKind } from "../errors.ts";

/** The queue's classes, in the order in which a worker serves them. */
export const workClasses = ["interactive", "webhooks", "bulk"] as const;
export type WorkClass = (typeof workClasses)[number];

export function isWorkClass(text: string): text is WorkClass {
  return (workClasses as readonly string[]).includes(text);
}

/** What can be worked on: accepted operations, and webhook deliveries. */
export type RecordKind = "job" | "delivery";

export function isRecordKind(text: string): text is RecordKind {
  return text === "job" || text === "delivery";
}

/**
 * A piece of work that a worker holds. One record (a job, a delivery) has one lane for each thing that is done and
 * retried by itself: a wallet for a pass, `send` for a delivery.
 */
export type Task = {
  /** The fence: who holds an older lease of the same lane cannot settle it any more. */
  lease: string;
  partition: number;
  workClass: WorkClass;
  tenantId: string;
  kind: RecordKind;
  id: string;
  lane: string;
  /** Counts from 1, this attempt included. */
  attempt: number;
  /** The record as it was just before the work was taken. */
  record: Readonly<Record<string, string>>;
};

/** Says that an attempt has come to something, which has only to be written down: its hand may begin with something else. */
export type Concluded = () => void;

/** What failed, as job records and dead letters keep it. */
export type Failure = { code: string; description: string };

/** The jobs' border for errors: which kinds may succeed when tried again. */
export function isWorthRetrying(kind: ErrorKind): boolean {
  return kind === "unavailable" || kind === "rate_limited" || kind === "bug";
}

export type ClaimOptions = {
  /** Served in their order; all of them unless given. */
  classes?: readonly WorkClass[];
  /** Tenants whose work stays where it is. */
  passOver?: readonly string[];
  /** Gets those of the partitions that may hold more. */
  left?: Set<number>;
};

export type WorkQueue = {
  /**
   * Takes up to `count` tasks, the tenants in turn; of each of the partitions about as many, of the first rather than the last.
   * Rejects only when it has taken none.
   */
  claim(partitions: readonly number[], count: number, options?: ClaimOptions): Promise<Task[]>;
  /** Renews the leases of tasks in progress; answers with those that are held no longer. */
  renew(tasks: readonly Task[]): Promise<Task[]>;
  /** Puts a failed task off until `dueAtMs`. False: the lease was lost, another worker has it. */
  retryLater(task: Task, failure: Failure, dueAtMs: number): Promise<boolean>;
  /** Lets a task wait until its turn at a wallet comes, the attempt uncounted. False: the lease was lost. */
  lineUp(task: Task, dueAtMs: number): Promise<boolean>;
  /** Gives tasks that were not begun back to the queue, the attempt uncounted. */
  handBack(tasks: readonly Task[]): Promise<void>;
  /** Lets a task that was not begun come back in `forMs`, the attempt uncounted. */
  postpone(task: Task, forMs: number): Promise<void>;
  /** Lets tasks whose time has come wait for a worker again; answers how many, and when the next is due. */
  promoteDue(nowMs: number): Promise<{ promoted: number; nextDueAtMs: number | null }>;
  /** Requeues what dead workers held; answers how many. */
  reclaimLost(): Promise<number>;
  /**
   * Requeues what is accepted and not finished and nowhere in the queue; answers how many. A step of the records at a
   * time, by one worker in each `intervalMs`.
   */
  reconcile(intervalMs: number): Promise<number>;
  /** Drops the names of workers that are long gone; answers how many. */
  forgetConsumers(): Promise<number>;
};
