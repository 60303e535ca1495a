/** What somebody did by a command, as it is kept for good. The members are those that operators' tools read. */
export type AuditEntry = {
  /** The operator, as the command was told or found out. */
  who: string;
  /** The command's words, joined by dots: `deadletter.purge`. */
  action: string;
  /** Null where it was about no tenant, or all. */
  tenant_id: string | null;
  target: { type: string; id: string } | null;
  /** Long work is written down as it begins and as it ends; what is short only when it has ended. */
  result: "started" | "done" | "failed" | "cancelled";
  /** What was asked for and what came of it; nothing secret. */
  details: Record<string, unknown>;
};

export type RecordedEntry = { id: string; at: string } & AuditEntry;

/** Entries can be added and read; nothing changes or removes one. */
export type AuditLog = {
  append(entry: AuditEntry): Promise<void>;
  /** Newest first, those of a span of time, a stretch at a time. */
  entries(within: { sinceMs: number; untilMs: number }): AsyncGenerator<RecordedEntry>;
};
