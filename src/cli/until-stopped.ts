/**
 * Resolves with the first SIGINT, SIGTERM or SIGHUP, or when the supervising parent is gone. A second signal is left to end the
 * process at once.
 */
export function untilStopped(): Promise<string> {
  return new Promise((resolve) => {
    const stop = (reason: string): void => {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
      process.off("SIGHUP", stop);
      resolve(reason);
    };
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
    process.once("SIGHUP", stop);
    process.once("disconnect", () => stop("parent gone"));
  });
}

/** Tells a supervising parent, where there is one, that this process does its work now, and where. */
export function reportReady(facts: Record<string, string>): void {
  process.send?.({ ready: facts });
}
