import type { Passwright } from "./passwright.ts";
import { childrenOf } from "./processes.ts";

/** Carries something out while the worker holds still, so that what is accepted stays as it was accepted. */
export async function whileWorkerPauses<Result>(
  { pid }: Passwright,
  act: () => Promise<Result>,
): Promise<Result> {
  const worker = childrenOf(pid).find(({ command }) => command.includes("worker"));
  if (worker === undefined) throw new Error("there is no worker");
  process.kill(worker.pid, "SIGSTOP");
  try {
    return await act();
  } finally {
    process.kill(worker.pid, "SIGCONT");
  }
}
