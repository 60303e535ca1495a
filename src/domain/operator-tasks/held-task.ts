/**
 * Long work of operators in one's hands, as it is written down: who began it can end, and others go on where it was. Whoever
 * takes it later has a higher fence, and who has a lower one can do nothing any more.
 */
export type Held<Task> = { task: Task; fence: number };

/** Who has which task in hand. */
export type TaskHolds<Task> = {
  /** How often a hold must be renewed. One that was not for some such times is free for others. */
  renewMs: number;
  /** The ids of all that are to be done. */
  running(): Promise<string[]>;
  /** Null where somebody else holds it, or it has ended. */
  take(id: string): Promise<Held<Task> | null>;
  /** False: it was lost. */
  renew(held: Held<Task>): Promise<boolean>;
  letGo(held: Held<Task>): Promise<void>;
};

/** finished: by its end. lost: somebody else has taken it. left: it is free for others. */
export type TaskOutcome = "finished" | "lost" | "left";

/**
 * Does work and renews its hold all the while; `work` answers «stopped» when its signal ends it, which is also when the hold is
 * lost. Where the caller's own signal did, the task is let go.
 */
export async function whileHeld<Task>(
  holds: Pick<TaskHolds<Task>, "renewMs" | "renew" | "letGo">,
  held: Held<Task>,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<"finished" | "lost" | "stopped">,
): Promise<TaskOutcome> {
  const lost = new AbortController();
  const renewal = setInterval(() => {
    holds.renew(held).then(
      (isHeld) => {
        if (!isHeld) lost.abort();
      },
      () => {},
    );
  }, holds.renewMs);
  try {
    const outcome = await work(AbortSignal.any([signal, lost.signal]));
    if (outcome !== "stopped") return outcome;
    if (lost.signal.aborted) return "lost";
    await holds.letGo(held);
    return "left";
  } finally {
    clearInterval(renewal);
  }
}
