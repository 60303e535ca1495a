/** Resolves with the first SIGINT or SIGTERM. A second one is left to end the process at once. */
export function untilStopped(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals): void => {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
      resolve(signal);
    };
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
  });
}

/** Tells a supervising parent, where there is one, that this process does its work now, and where. */
export function reportReady(facts: Record<string, string>): void {
  process.send?.({ ready: facts });
}
