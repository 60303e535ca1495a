/** The right to carry out one due run of a task, which only one of all processes gets. */
export type Turn = {
  /** Shows that the run still goes on. False: the turn was lost, somebody else may have begun the next run. */
  renew(): Promise<boolean>;
  end(): Promise<void>;
};

export type Turns = {
  /** The turn of a task's run that is due at `dueAtMs`; null when another process has taken it, or still runs one. */
  take(task: string, dueAtMs: number): Promise<Turn | null>;
  /** A turn that was not renewed for so long is free again. */
  leaseMs: number;
};
