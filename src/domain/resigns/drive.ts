import { asFault } from "../jobs/attempt-fault.ts";
import { type TaskOutcome, whileHeld } from "../operator-tasks/held-task.ts";
import { createPace } from "../operator-tasks/pace.ts";
import type { ResignDeps } from "./deps.ts";
import { type HeldResign, type ResignTask, resignRecord } from "./resign-task.ts";
import { type TellOutcome, tellPhones } from "./tell-phones.ts";

/** Passes whose phones are told at a time. */
const stepSize = 50;

/** By then every process signs with what `providers set` has set: they look again every 2 s. */
const settledMs = 5000;

/**
 * Lets the phones of a tenant's passes fetch them again, from where it was left to the end. Each pass is marked and counted in
 * one step, and its phones are told after that, again where it is not known whether they were. Rejects with `unavailable`
 * without Redis; then the hold runs out, and others go on.
 */
export async function driveResign(
  deps: ResignDeps,
  held: HeldResign,
  signal: AbortSignal,
): Promise<TaskOutcome> {
  return whileHeld(deps.resignTasks, held, signal, (heldSignal) => renewPasses(deps, held, heldSignal));
}

async function renewPasses(
  deps: ResignDeps,
  held: HeldResign,
  signal: AbortSignal,
): Promise<"finished" | "lost" | "stopped"> {
  const { task } = held;
  if (!(await deps.resignTasks.open(held))) return "lost";
  if (task.cancelledBy !== null) return endResign(deps, held, { status: "cancelled", trouble: null });
  await credentialsSettled(deps, task, signal);
  const pace = createPace(deps, task.rate);
  const most = task.rate === null ? stepSize : Math.min(stepSize, Math.ceil(task.rate / 10));
  let told: { cursor: string; untold: number } | null = null;
  while (!signal.aborted) {
    const step = await deps.resignTasks.step(held, { most, told });
    if (step.outcome === "lost") return "lost";
    if (step.outcome === "done") return endResign(deps, held, { status: "completed", trouble: null });
    if (step.passes.length > 0) await pace(signal, step.passes.length);
    const outcome: TellOutcome | "stopped" = await tellOrStop(deps, held, step.passes, signal);
    if (outcome === "stopped") return "stopped";
    if ("failure" in outcome)
      return endResign(deps, held, { status: "failed", trouble: outcome.failure.description });
    told = { cursor: step.cursor, untold: outcome.untold };
  }
  return "stopped";
}

async function tellOrStop(
  deps: ResignDeps,
  held: HeldResign,
  passes: Parameters<typeof tellPhones>[2],
  signal: AbortSignal,
): Promise<TellOutcome | "stopped"> {
  try {
    return await tellPhones(deps, held, passes, signal);
  } catch (error) {
    if (signal.aborted) return "stopped";
    const { code, detail } = asFault(error);
    // The store was away: the hold runs out, and the same passes come again.
    if (code === "unavailable") throw error;
    return { failure: { code, description: detail } };
  }
}

async function credentialsSettled(
  deps: ResignDeps,
  { tenantId }: ResignTask,
  signal: AbortSignal,
): Promise<void> {
  const configuration = await deps.providerConfigurations.find(tenantId, "apple");
  const waitMs = (configuration?.updatedAtMs ?? 0) + settledMs - deps.clock.nowMs();
  if (waitMs > 0) await deps.pause(waitMs, signal);
}

/** Ends a task that is in one's hands, and has been opened. */
export async function endResign(
  deps: Pick<ResignDeps, "resignTasks">,
  held: HeldResign,
  end: { status: Exclude<ResignTask["status"], "running">; trouble: string | null },
): Promise<"finished" | "lost"> {
  const { task } = held;
  const count = await deps.resignTasks.count(task);
  const record = resignRecord(task, {
    who: task.cancelledBy ?? task.requestedBy,
    result: end.status === "completed" ? "done" : end.status,
    details: {
      rate: task.rate,
      passes: task.passes,
      ...count,
      ...(end.trouble !== null && { error: end.trouble }),
    },
  });
  return (await deps.resignTasks.finish(held, { ...end, count }, record)) ? "finished" : "lost";
}
