import type { AuditLog, RecordedEntry } from "./entry.ts";

export type AuditFilter = {
  tenantId: string | null;
  /** A command (`deadletter.purge`), or a topic that stands for all of its commands (`deadletter`). */
  action: string | null;
  sinceMs: number;
  untilMs: number;
  limit: number;
};

/** The entries that match, newest first. */
export async function* listAudit(
  deps: { audit: Pick<AuditLog, "entries"> },
  filter: AuditFilter,
): AsyncGenerator<RecordedEntry> {
  let count = 0;
  if (filter.limit < 1) return;
  for await (const entry of deps.audit.entries(filter)) {
    if (!matches(entry, filter)) continue;
    yield entry;
    if (++count >= filter.limit) return;
  }
}

function matches(entry: RecordedEntry, { tenantId, action }: AuditFilter): boolean {
  if (tenantId !== null && entry.tenant_id !== tenantId) return false;
  return action === null || entry.action === action || entry.action.startsWith(`${action}.`);
}
