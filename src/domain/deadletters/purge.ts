import { type AuditDeps, audited } from "../audit/audited.ts";
import type { DeadLetterStore } from "./dead-letter.ts";
import { type LetterPlan, plannedLetters } from "./plan.ts";
import { filterResource } from "./replay-task.ts";

type Purge = { purged: number; already_gone: number };

/**
 * Forgets letters, one after the other. Their records expire as any that are finished. That it begins is written down
 * before the first one goes.
 */
export async function purgeDeadLetters(
  deps: AuditDeps & { deadLetters: DeadLetterStore },
  { plan, by }: { plan: LetterPlan; by: string },
  onProgress: (purged: number) => void,
): Promise<Purge> {
  const { filter, matched } = plan;
  const act = {
    who: by,
    action: "deadletter.purge",
    tenant_id: filter.tenantId,
    target: null,
    details: { filter: { ...filterResource(filter), ids: filter.ids?.length ?? null }, matched },
    isLong: true,
    told: (details: Purge) => ({ details }),
  };
  return audited(deps, act, async () => {
    let purged = 0;
    for await (const letter of plannedLetters(deps.deadLetters, plan)) {
      if ((await deps.deadLetters.purge(letter)) === "purged") purged += 1;
      onProgress(purged);
    }
    return { purged, already_gone: matched - purged };
  });
}
