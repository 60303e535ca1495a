import { createHash } from "node:crypto";
import { PasswrightError } from "../errors.ts";
import type { Vault } from "../vault.ts";
import { createLineReader, type ReadRecord } from "./line.ts";
import type {
  ApplicationRecord,
  AuditRecord,
  BackupHeader,
  KeyRecord,
  SharedWork,
  WorkRecord,
} from "./record.ts";
import type { Restorations, SectionRestoration } from "./restorations.ts";
import type { Section } from "./snapshots.ts";
import { createRecordCount, cutShort } from "./survey.ts";

export type RestoreResult = {
  backup: string;
  complete: boolean;
  /** Those that are known to everybody now. */
  tenants: number;
  /** Records that were read, and of them those that an earlier run had put in place. */
  records: number;
  skipped: number;
};

type Deps = {
  restorations: Restorations;
  vault: Vault;
  /** Removes a tenant that is in the way. */
  clear(tenantId: string): Promise<void>;
};

type Wish = {
  /** Only this tenant of the backup; null for all of it. */
  tenantId: string | null;
  /** Removes what is in the way. */
  overwrite: boolean;
  signal: AbortSignal;
};

/** Enough for Redis to be asked seldom, little enough that others are served in between. */
const most = { records: 200, bytes: 4_000_000 };

/** What a restore is called where it says how far it came. The same backup restored to the same end is the same restore. */
export function restoreName(backup: string, tenantId: string | null): string {
  return createHash("sha256").update(`${backup} ${tenantId}`).digest("hex").slice(0, 32);
}

/** Rejects with invalid_backup where a store cannot take a backup, or could not open its secrets. */
export function requireTakable(
  { restorations, vault }: Pick<Deps, "restorations" | "vault">,
  header: BackupHeader,
): void {
  if (header.partitions !== restorations.partitions) {
    throw new PasswrightError(
      "invalid_backup",
      `The backup is of a store with ${header.partitions} partitions, and this one has ${restorations.partitions}: its records would not be found. It can only be restored into a store that was laid out alike.`,
    );
  }
  try {
    vault.open(header.master_key_check, { tenantId: null, type: "backup", id: header.id });
  } catch (cause) {
    throw new PasswrightError(
      "invalid_configuration",
      "The backup was made under a master key that is not configured here, so its secrets could not be opened. Add that key to PASSWRIGHT_MASTER_KEY (or its file), behind the first one.",
      { cause },
    );
  }
}

/**
 * Puts a backup back, section by section: the keys first, then the tenants become known, then their work waits again.
 * What was interrupted goes on with the next call. Rejects with invalid_backup at the first record that is not as it was
 * written, and with invalid_state where a tenant is in the way and must not be overwritten.
 */
export async function restoreBackup(
  deps: Deps,
  lines: AsyncIterable<string>,
  wish: Wish,
  onProgress: (records: number) => void = () => {},
): Promise<RestoreResult> {
  const read = createLineReader();
  const counted = createRecordCount();
  let header: BackupHeader | null = null;
  let section: ReturnType<typeof sectionOf> | null = null;
  let isWhole = false;
  const result: RestoreResult = { backup: "", complete: false, tenants: 0, records: 0, skipped: 0 };
  for await (const line of lines) {
    if (wish.signal.aborted) return result;
    const one = read(line);
    counted(one);
    result.records = one.number;
    onProgress(one.number);
    const { record } = one;
    if (record.kind === "header") {
      requireTakable(deps, record);
      requireTenantIn(record, wish.tenantId);
      header = record;
      result.backup = record.id;
    } else if (header === null) {
      throw new PasswrightError("invalid_backup", "The backup has no header.");
    } else if (record.kind === "section") {
      section = await enter(deps, wish, { header, section: record });
    } else if (record.kind === "end") {
      const ended = (await section?.end(one.number)) ?? { tenants: 0, skipped: 0 };
      result.tenants += ended.tenants;
      result.skipped += ended.skipped;
      section = null;
    } else if (record.kind === "trailer") {
      isWhole = true;
    } else {
      await section?.take(one);
    }
  }
  if (header === null || !isWhole) throw cutShort(result.records);
  if (wish.tenantId !== null && result.tenants === 0) {
    throw new PasswrightError("not_found", `The backup holds no tenant ${wish.tenantId}.`);
  }
  await deps.restorations.forget(restoreName(header.id, wish.tenantId));
  return { ...result, complete: true };
}

function requireTenantIn(header: BackupHeader, tenantId: string | null): void {
  if (tenantId === null || header.tenant_id === null || header.tenant_id === tenantId) return;
  throw new PasswrightError("not_found", `The backup is of the tenant ${header.tenant_id} alone.`);
}

/** Begins with a section, where it is wanted. */
async function enter(deps: Deps, wish: Wish, entered: { header: BackupHeader; section: Section }) {
  const { header } = entered;
  let { section } = entered;
  const { restorations } = deps;
  const name = restoreName(header.id, wish.tenantId);
  if (wish.tenantId !== null) {
    if (section.partition !== null && section.partition !== restorations.partitionOf(wish.tenantId))
      return null;
    // Of the installation's own, a tenant takes along what its passes may be drawn from.
    if (section.name === "installation") section = { ...section, name: "system-templates" };
  } else if (section.name === "installation" && (await restorations.isInUse(name))) {
    if (!wish.overwrite) throw new PasswrightError("invalid_state", inUse);
    await restorations.clearInstallation();
  }
  return sectionOf(deps, wish, section, await restorations.begin(section, name));
}

const systemTemplate = /^\{system\}:(template|image):/;

export const inUse =
  "This installation has signing keys, templates or packages of its own. --yes puts those of the backup in their place; --tenant ID restores a tenant alone.";

function sectionOf(deps: Deps, wish: Wish, { name }: Section, target: SectionRestoration) {
  const first = target.position;
  const tenants = new Map<string, KeyRecord | null>();
  let held: { number: number; record: KeyRecord | ApplicationRecord }[] = [];
  let work: { number: number; work: SharedWork }[] = [];
  const audit: AuditRecord[] = [];
  let [bytes, skipped, isPublished] = [0, 0, false];

  const writeHeld = async (): Promise<void> => {
    const before = (held[0]?.number ?? 0) - 1;
    if (held.length > 0)
      await target.write(
        held.map(({ record }) => record),
        before,
      );
    [held, bytes] = [[], 0];
  };
  const resume = async (): Promise<void> => {
    const last = work.at(-1)?.number;
    if (last !== undefined)
      await target.resumeWork(
        work.map((one) => one.work),
        last,
      );
    work = [];
  };
  /** All keys up to the record `before` are in place when it resolves, and every tenant is known. */
  const publish = async (before: number): Promise<void> => {
    if (isPublished) return;
    isPublished = true;
    await writeHeld();
    if (target.position < before) await target.write([], before);
    for (const [tenantId, record] of tenants) if (record !== null) await target.publish(tenantId, record);
  };
  const isWanted = (record: KeyRecord | ApplicationRecord | WorkRecord): boolean => {
    if (wish.tenantId === null || record.tenant === wish.tenantId) return true;
    return record.tenant === null && record.kind === "key" && systemTemplate.test(record.key);
  };
  const meet = async (tenantId: string, number: number): Promise<void> => {
    if (tenants.has(tenantId)) return;
    tenants.set(tenantId, null);
    if (number <= first || !(await deps.restorations.isThere(tenantId))) return;
    if (!wish.overwrite) throw inTheWay([tenantId]);
    await deps.clear(tenantId);
  };

  return {
    async take({ number, record }: ReadRecord): Promise<void> {
      if (record.kind === "audit") {
        if (name === "installation") audit.push(record);
        if (audit.length >= most.records) await target.keepAudit(audit.splice(0), false);
        return;
      }
      if (record.kind !== "key" && record.kind !== "application" && record.kind !== "work") return;
      if (!isWanted(record)) return;
      if (record.kind === "work") {
        await publish(number - 1);
        if (number <= first) skipped += 1;
        else work.push({ number, work: record.work });
        if (work.length >= most.records) await resume();
        return;
      }
      if (record.tenant !== null) await meet(record.tenant, number);
      if (record.kind === "key" && record.tenant !== null && record.key === "tenant") {
        // By this record a tenant is known: it comes when all others are in place.
        tenants.set(record.tenant, record.dump === null ? null : record);
      } else if (number <= first) {
        skipped += 1;
      } else {
        held.push({ number, record });
        bytes += record.dump?.length ?? 0;
        if (held.length >= most.records || bytes >= most.bytes) await writeHeld();
      }
    },
    async end(number: number): Promise<{ tenants: number; skipped: number }> {
      await publish(number - 1);
      await resume();
      if (name === "installation") await target.keepAudit(audit, true);
      if (target.position < number) await target.write([], number);
      return { tenants: [...tenants.values()].filter((record) => record !== null).length, skipped };
    },
  };
}

export function inTheWay(tenantIds: readonly string[]): PasswrightError {
  const [first] = tenantIds;
  const which =
    tenantIds.length === 1
      ? `The tenant ${first} is`
      : `${tenantIds.length} tenants, ${first} among them, are`;
  return new PasswrightError(
    "invalid_state",
    `${which} there already, or what an unfinished restore of another backup left. Nothing of that is overwritten without --yes.`,
  );
}
