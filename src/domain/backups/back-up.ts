import { type Clock, isoInstant } from "../clock.ts";
import { invalidRequest, PasswrightError } from "../errors.ts";
import type { Ids } from "../ids.ts";
import type { Vault } from "../vault.ts";
import { createLineWriter } from "./line.ts";
import type { BackupHeader, BackupRecord } from "./record.ts";
import { type Snapshots, sectionsOf } from "./snapshots.ts";

/** What is in a file that an earlier backup left: how far its last complete section goes. */
export type Beginning = { header: BackupHeader; digest: string; sections: number; records: number };

export type BackupProgress = { section: number; sections: number; records: number };

export type BackupResult = {
  id: string;
  tenant_id: string | null;
  /** Whole: with its trailer. Otherwise it was interrupted, and can be gone on with. */
  complete: boolean;
  sections: number;
  records: number;
  /** Records that were there when it was gone on with. */
  resumed_at: number;
};

/** Where a backup goes. Resolves once more may come; rejects when nobody takes it. */
export type WriteLine = (line: string) => Promise<void>;

/**
 * Writes a backup of a tenant, or of the whole installation: sections one after the other, each of one instant. `signal`
 * interrupts it between two records. With a `beginning` it goes on behind the last section that is complete; that must
 * be of the same scope (invalid_request).
 */
export async function backUp(
  deps: { snapshots: Snapshots; clock: Clock; ids: Ids; vault: Vault },
  input: { tenantId: string | null; product: string; beginning: Beginning | null; signal: AbortSignal },
  write: WriteLine,
  onProgress: (progress: BackupProgress) => void = () => {},
): Promise<BackupResult> {
  const { snapshots, clock } = deps;
  const { tenantId, beginning, signal } = input;
  if (beginning !== null) requireSameScope(beginning.header, tenantId, snapshots.partitions);
  const header = beginning?.header ?? (await headerOf(deps, input));
  const line = createLineWriter(beginning?.digest);
  const sections = sectionsOf(snapshots, tenantId);
  let records = beginning?.records ?? 0;
  let done = beginning?.sections ?? 0;
  const put = async (record: BackupRecord): Promise<void> => {
    records += 1;
    await write(line(record));
    onProgress({ section: done + 1, sections: sections.length, records });
  };
  const result = (complete: boolean): BackupResult => ({
    ...{ id: header.id, tenant_id: tenantId, complete, sections: done, records },
    resumed_at: beginning?.records ?? 0,
  });

  if (beginning === null) await put(header);
  for (const section of sections.slice(done)) {
    await put({ kind: "section", ...section });
    const first = records;
    for await (const record of snapshots.copy(section, tenantId)) {
      if (signal.aborted) return result(false);
      await put(record);
    }
    await put({ kind: "end", at: isoInstant(clock.nowMs()), records: records - first });
    done += 1;
  }
  await put({ kind: "trailer", sections: done, records: records + 1 });
  return result(true);
}

async function headerOf(
  { snapshots, clock, ids, vault }: Parameters<typeof backUp>[0],
  { tenantId, product }: { tenantId: string | null; product: string },
): Promise<BackupHeader> {
  const id = ids.uuid();
  return {
    ...{ kind: "header", format: "passwright-backup", version: 1, id, made_at: isoInstant(clock.nowMs()) },
    ...{ product, redis: await snapshots.release(), partitions: snapshots.partitions, tenant_id: tenantId },
    master_key_check: vault.seal(id, { tenantId: null, type: "backup", id }),
  };
}

function requireSameScope(header: BackupHeader, tenantId: string | null, partitions: number): void {
  if (header.tenant_id !== tenantId) {
    const isOf = header.tenant_id === null ? "the whole installation" : `the tenant ${header.tenant_id}`;
    throw invalidRequest([{ path: "--resume", message: `goes on with a backup of ${isOf}, not of another` }]);
  }
  if (header.partitions !== partitions) {
    throw new PasswrightError("invalid_backup", "The file was begun from a store with other partitions.");
  }
}
