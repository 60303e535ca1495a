import { PasswrightError } from "../errors.ts";
import type { Ids } from "../ids.ts";
import type { PlannedLetters } from "./plan.ts";
import { type HeldReplay, type ReplayTaskStore, replayRequest } from "./replay-task.ts";

/**
 * Writes a replay down as a task in the caller's hands, together with the record of who asks for it; no letter has moved
 * yet. Rejects with invalid_state while another one of the tenant, or of all, runs.
 */
export async function startReplay(
  deps: { replayTasks: Pick<ReplayTaskStore, "start">; ids: Ids },
  input: { plan: PlannedLetters; rate: number | null; replayLimit: number | null; by: string },
): Promise<HeldReplay> {
  const { plan, rate, replayLimit, by } = input;
  const id = deps.ids.uuid();
  const named = plan.filter.ids === null ? null : new Set(plan.filter.ids).size;
  const started = await deps.replayTasks.start(
    { id, tenantId: plan.tenantId, rate, replayLimit, requestedBy: by, plan },
    {
      who: by,
      action: "deadletter.replay",
      tenant_id: plan.tenantId,
      target: { type: "replay", id },
      result: "started",
      details: replayRequest({ ...plan, named, rate, replayLimit }),
    },
  );
  if ("held" in started) return started.held;
  throw new PasswrightError(
    "invalid_state",
    `The replay ${started.busy} of such dead letters still runs, and only one may. \`passwright deadletter task ${started.busy}\` shows it, \`passwright deadletter cancel ${started.busy}\` ends it.`,
  );
}
