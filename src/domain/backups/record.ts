import type { WorkClass } from "../jobs/work.ts";

/** The first record: what the file is, what it was made of, and what a store must be like to take it. */
export type BackupHeader = {
  kind: "header";
  format: "passwright-backup";
  version: 1;
  id: string;
  /** RFC 3339. Each section is of an instant of its own, which its end names. */
  made_at: string;
  /** The versions of the product and of Redis that made it. */
  product: string;
  redis: string;
  partitions: number;
  /** Null: the whole installation. */
  tenant_id: string | null;
  /** The backup's id, sealed under the first master key: who can open it can open what that key sealed. */
  master_key_check: string;
};

/** What a section is of: the installation's own records, its templates, one tenant, or all tenants of a partition. */
export type SectionName = "installation" | "system-templates" | "tenant" | "partition";

export type SectionRecord = {
  kind: "section";
  name: SectionName;
  /** Null where it is of no partition. */
  partition: number | null;
};

/**
 * A key of a tenant, named without the tenant and its partition; of the installation (`tenant` null), without the prefix.
 * A later record of the same key takes the place of an earlier one. `dump` is base64 of what Redis' DUMP gives, or null
 * where the key is gone. `expires_at` is in milliseconds since 1970; absent: never.
 */
export type KeyRecord = {
  kind: "key";
  tenant: string | null;
  key: string;
  expires_at?: number;
  dump: string | null;
};

/** An application, which is found by its own id; `tenant` is null where it is gone. */
export type ApplicationRecord = {
  kind: "application";
  tenant: string | null;
  id: string;
  dump: string | null;
};

/** What of a tenant's stands in a structure that it shares with others. */
export type WorkRecord = { kind: "work"; tenant: string; work: SharedWork };

export type SharedWork =
  /** A job or delivery that is not finished, and since when (ms). */
  | ["open", record: string, since: string]
  /** Work that waits for its next attempt, and until when (ms). */
  | ["delayed", workClass: WorkClass, member: string, due: string]
  | ["dead", entry: string, ...fields: string[]]
  | ["outbox", ...fields: string[]]
  /** A webhook with an open breaker or parked deliveries, and when to look at it next. */
  | ["breaker", member: string, lookAt: string];

export type AuditRecord = { kind: "audit"; id: string; text: string };

/** The last record of a section: all before it are of the instant `at`, and there are so many. */
export type SectionEnd = { kind: "end"; at: string; records: number };

/** The last record of all. Without it the file is cut short. */
export type Trailer = { kind: "trailer"; sections: number; records: number };

/** What a section holds. */
export type DataRecord = KeyRecord | ApplicationRecord | WorkRecord | AuditRecord;

export type BackupRecord = BackupHeader | SectionRecord | DataRecord | SectionEnd | Trailer;
