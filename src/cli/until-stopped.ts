import { flushCompileCache } from "node:module";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Resolves with the first signal to stop, or when the supervising parent is gone. A second signal is left to end the
 * process at once.
 */
export function untilStopped(): Promise<string> {
  return new Promise((resolve) => {
    const stop = (reason: string): void => {
      for (const signal of signals) process.off(signal, stop);
      process.off("disconnect", parentGone);
      // The channel to the parent would keep the process alive.
      process.channel?.unref();
      resolve(reason);
    };
    const parentGone = (): void => stop("parent gone");
    for (const signal of signals) process.once(signal, stop);
    process.once("disconnect", parentGone);
    // It may have gone while we were starting.
    if (process.send !== undefined && !process.connected) parentGone();
  });
}

/**
 * Tells a supervising parent, where there is one, that this process does its work now, and where. What V8 compiled for the
 * start is kept now: Node would do it at an orderly end, and the start after a crash is the one that is waited for.
 */
export function reportReady(facts: Record<string, string>): void {
  flushCompileCache();
  process.send?.({ ready: facts });
}

/** Gives a supervising parent this process's metrics whenever it asks for them. */
export function answerForMetrics(text: () => Promise<string>): void {
  process.on("message", async (message: { metrics?: number }) => {
    if (message.metrics === undefined) return;
    const shown = await text().catch(() => "");
    if (process.connected) process.send?.({ metrics: message.metrics, text: shown });
  });
}
