import { exitCodes } from "./exit-codes.ts";

/**
 * Lets Ctrl-C end a command with a line that says where it was left, and 130 as shells have it. A verb that ends in its own
 * way on Ctrl-C is not got in the way. Answers what takes that back.
 */
export function endOnInterrupt(whatIsLeft: () => string | null): () => void {
  const interrupted = (): void => {
    if (process.listenerCount("SIGINT") > 1) return;
    process.stderr.write(`\n${["Interrupted.", whatIsLeft()].filter(Boolean).join(" ")}\n`);
    process.exit(exitCodes.interrupted);
  };
  process.on("SIGINT", interrupted);
  return () => void process.off("SIGINT", interrupted);
}
