import { processBatch } from "../batches/process.ts";
import { carryOutMessage } from "../messages/carry-out.ts";
import { carryOutPass } from "../passes/carry-out.ts";
import type { JobType } from "./job.ts";
import type { Concluded, Task } from "./work.ts";

type Deps = Parameters<typeof carryOutPass>[0] &
  Parameters<typeof carryOutMessage>[0] &
  Parameters<typeof processBatch>[0];

/** Carries one lane of an accepted operation out, once, by what kind of operation it is. */
export function carryOutJob(
  deps: Deps,
  task: Task,
  signal: AbortSignal,
  concluded?: Concluded,
): Promise<Record<string, unknown>> {
  switch (task.record.type as JobType) {
    case "message.send":
      return carryOutMessage(deps, task, signal);
    case "batch.process":
      return processBatch(deps, task, signal);
    default:
      return carryOutPass(deps, task, signal, concluded);
  }
}
