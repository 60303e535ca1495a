import type { ApplicationRecord, AuditRecord, KeyRecord, SharedWork } from "./record.ts";
import type { Section } from "./snapshots.ts";

/** What stands in the way of restoring a tenant: it is there; or an earlier restore of another file left some of it. */
export type Obstacle = "there" | "left_over";

/** Puts back what a backup holds. All of it may be repeated, and goes on where it was interrupted. */
export type Restorations = {
  partitions: number;
  partitionOf(tenantId: string): number;
  isThere(tenantId: string): Promise<boolean>;
  /** Null where nothing stands in the way, or this very restore has come that far already. */
  obstacle(tenantId: string, restore: string): Promise<Obstacle | null>;
  /** Whether the installation has records of its own (signing keys, templates, things on sale) from elsewhere. */
  isInUse(restore: string): Promise<boolean>;
  /** Removes the templates of the system; what else there is of its own is replaced. */
  clearInstallation(): Promise<void>;
  /** Begins with a section, or goes on with it. Whoever did so before can do nothing more in it. */
  begin(section: Section, restore: string): Promise<SectionRestoration>;
  /** Forgets how far a restore came, in all sections. */
  forget(restore: string): Promise<void>;
};

/** `position` follows what is done. All of these reject with invalid_state when somebody else has begun with the section, and invalid_backup for a value that Redis does not take. */
export type SectionRestoration = {
  /** The number of the last record that is in place. */
  position: number;
  /** Puts records in place; those up to the record `before` are. */
  write(records: readonly (KeyRecord | ApplicationRecord)[], before: number): Promise<void>;
  /** Lets a tenant, whose record this is, be known. */
  publish(tenantId: string, record: KeyRecord): Promise<void>;
  /** Lets the work of the records up to `to` wait again, which counts in the same step. */
  resumeWork(work: readonly SharedWork[], to: number): Promise<void>;
  /** Keeps entries of the audit log, and with `isLast` puts them before those that are there. */
  keepAudit(entries: readonly AuditRecord[], isLast: boolean): Promise<void>;
};
