import { listAudit } from "../audit/list.ts";
import { type Check, counted, type Finding, failed, ok, warning } from "./check.ts";
import type { Installation } from "./ports.ts";
import { ofTenants, someTenants } from "./some-tenants.ts";

export const deletions: Check<Pick<Installation, "tenants" | "mostTenants">> = {
  name: "deletions",
  expects: "no deletion of a tenant was left unfinished",
  async look(needs) {
    const sample = await someTenants(needs);
    const unfinished = sample.tenants.filter(({ status }) => status === "deleting");
    if (unfinished.length === 0) return [ok(`None ${ofTenants(sample)} is being deleted.`)];
    return unfinished.map(({ id }) =>
      warning(
        `The tenant ${id} is marked as being deleted.`,
        `If nobody is at it: passwright tenants delete ${id}, which goes on where it was interrupted.`,
      ),
    );
  },
};

type OrphanNeeds = Pick<Installation, "orphans" | "tenantRemoval" | "audit">;

/**
 * A tenant's record may be missing because the tenant was deleted, or because somebody deleted the record. Only the audit log
 * tells: what a finished deletion left behind may go, everything else may be all that there is of somebody's passes.
 */
export const orphans: Check<OrphanNeeds> = {
  name: "orphaned-keys",
  expects: "no key belongs to a tenant or a partition that there is not",
  only: "deep",
  fixes: "removes keys of tenants of whose deletion the audit log knows; all others stay",
  async look(needs) {
    const { lookedAt, isComplete, ofTenants: keysOf, ofPartitions } = await needs.orphans.find();
    const findings: Finding[] = [];
    const deleted = keysOf.size === 0 ? new Set() : await deletedTenants(needs);
    for (const [tenantId, count] of keysOf) {
      const told = `${counted(count, "key")} of the tenant ${tenantId}, which there is not`;
      if (!deleted.has(tenantId)) {
        findings.push(
          failed(
            `${told}, and no command deleted it.`,
            "Somebody deleted the tenant's record: restore it from a backup. Nothing is removed here.",
          ),
        );
        continue;
      }
      findings.push(
        warning(`${told} any more.`, "`passwright doctor --deep --fix` removes them.", {
          does: `remove what is left of the deleted tenant ${tenantId}`,
          apply: async () => `${counted(await removeAll(needs, tenantId), "key")} of ${tenantId} removed.`,
        }),
      );
    }
    if (ofPartitions > 0) {
      findings.push(
        failed(
          `${counted(ofPartitions, "key")} in partitions that there are not.`,
          "The number of partitions was changed: see what partitions says.",
        ),
      );
    }
    if (!isComplete) {
      findings.push(
        warning(
          `Only ${lookedAt} keys were looked at; there are more.`,
          "Give the command at a quiet time again: it looks at others.",
        ),
      );
    }
    return findings.length > 0
      ? findings
      : [ok(`${counted(lookedAt, "key")} looked at, each has its tenant.`)];
  },
};

async function deletedTenants({ audit }: Pick<OrphanNeeds, "audit">): Promise<Set<string | null>> {
  const filter = {
    tenantId: null,
    action: "tenants.delete",
    sinceMs: 0,
    untilMs: Number.MAX_SAFE_INTEGER,
    limit: Number.POSITIVE_INFINITY,
  };
  const ids = new Set<string | null>();
  for await (const entry of listAudit({ audit }, filter))
    if (entry.result === "done") ids.add(entry.tenant_id);
  return ids;
}

async function removeAll({ tenantRemoval }: Pick<OrphanNeeds, "tenantRemoval">, tenantId: string) {
  let removed = 0;
  let cursor: string | null = null;
  do {
    const step: Awaited<ReturnType<typeof tenantRemoval.sweep>> = await tenantRemoval.sweep(tenantId, cursor);
    removed += step.removed;
    cursor = step.cursor;
  } while (cursor !== null);
  return removed;
}
