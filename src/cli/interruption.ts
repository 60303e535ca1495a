import { exitCodes } from "./exit-codes.ts";

/**
 * Lets Ctrl-C end a command with a line that says where it was left, and 130 as shells have it; not while the verb stops
 * in its own way. Answers what takes that back.
 */
export function endOnInterrupt(verb: { whatIsLeft(): string | null; stopsItself(): boolean }): () => void {
  const interrupted = (): void => {
    if (verb.stopsItself()) return;
    process.stderr.write(`\n${["Interrupted.", verb.whatIsLeft()].filter(Boolean).join(" ")}\n`);
    process.exit(exitCodes.interrupted);
  };
  process.on("SIGINT", interrupted);
  return () => void process.off("SIGINT", interrupted);
}
