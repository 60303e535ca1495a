import type { AuditEntry, AuditLog, RecordedEntry } from "../domain/audit/entry.ts";
import { isoInstant } from "../domain/clock.ts";
import { asUnavailable } from "./connection.ts";
import type { StoreParts } from "./store.ts";

/** Entries that are read at once. */
const stretch = 200;

/** The instant of an entry is that of its id: the clock of Redis, whoever wrote it. */
export function createAuditLog({ connection, keys }: Pick<StoreParts, "connection" | "keys">): AuditLog {
  return {
    async append(entry) {
      try {
        await connection.xadd(keys.audit, "*", "record", auditText(entry));
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async *entries({ sinceMs, untilMs }) {
      const from = String(Math.max(0, Math.ceil(sinceMs)));
      let to = untilMs === Number.MAX_SAFE_INTEGER ? "+" : String(Math.max(0, Math.floor(untilMs)));
      for (;;) {
        const read = await connection
          .xrevrange(keys.audit, to, from, "COUNT", stretch)
          .catch((error: unknown) => {
            throw asUnavailable(error);
          });
        for (const [id, fields] of read) yield recorded(id, fields[1] ?? "{}");
        const last = read.at(-1)?.[0];
        if (read.length < stretch || last === undefined) return;
        to = `(${last}`;
      }
    },
  };
}

/** An entry as the log keeps it; scripts that change something and write that down get it so. */
export function auditText(entry: AuditEntry): string {
  const { who, action, tenant_id, target, result, details } = entry;
  return JSON.stringify({ who, action, tenant_id, target, result, details });
}

function recorded(id: string, text: string): RecordedEntry {
  return { id, at: isoInstant(Number(id.split("-")[0])), ...(JSON.parse(text) as AuditEntry) };
}
