import type { AuditEntry, AuditLog } from "../audit/entry.ts";
import type { DeadLetterStore } from "./dead-letter.ts";
import { type LetterPlan, plannedLetters } from "./plan.ts";
import { filterResource } from "./replay-task.ts";

/**
 * Forgets letters, one after the other. Their records expire as any that are finished. That it begins is written down
 * before the first one goes.
 */
export async function purgeDeadLetters(
  deps: { deadLetters: DeadLetterStore; audit: Pick<AuditLog, "append"> },
  input: { plan: LetterPlan; by: string },
  onProgress: (purged: number) => void,
): Promise<{ purged: number; already_gone: number }> {
  const { plan, by } = input;
  const { filter, matched } = plan;
  const record = (result: AuditEntry["result"], facts: Record<string, number> = {}): Promise<void> =>
    deps.audit.append({
      who: by,
      action: "deadletter.purge",
      tenant_id: filter.tenantId,
      target: null,
      result,
      details: { filter: { ...filterResource(filter), ids: filter.ids?.length ?? null }, matched, ...facts },
    });
  await record("started");
  let purged = 0;
  let alreadyGone = 0;
  for await (const letter of plannedLetters(deps.deadLetters, plan)) {
    if ((await deps.deadLetters.purge(letter)) === "purged") purged += 1;
    else alreadyGone += 1;
    onProgress(purged);
  }
  // What went before it was read is gone, too.
  alreadyGone = Math.max(alreadyGone, matched - purged);
  await record("done", { purged, already_gone: alreadyGone });
  return { purged, already_gone: alreadyGone };
}
