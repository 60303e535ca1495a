import type { DataRecord, SectionName } from "./record.ts";

export type Section = { name: SectionName; partition: number | null };

/**
 * Copies of what the store holds, while it is in use. Records come as they are read; only together, when the last one has
 * come, they are what the store held at one instant: that at which the generator ends. What cannot be copied rejects
 * with invalid_state (it changes too fast), not_found (the tenant is gone meanwhile) or unavailable.
 */
export type Snapshots = {
  partitions: number;
  partitionOf(tenantId: string): number;
  /** The release of the server, for the file's header. */
  release(): Promise<string>;
  copy(section: Section, tenantId: string | null): AsyncGenerator<DataRecord>;
};

/** The sections of a backup, in order; with null of the whole installation. */
export function sectionsOf(
  snapshots: Pick<Snapshots, "partitions" | "partitionOf">,
  tenantId: string | null,
) {
  if (tenantId !== null) {
    const partition = snapshots.partitionOf(tenantId);
    return [
      { name: "system-templates", partition: null },
      { name: "tenant", partition },
    ] as const satisfies Section[];
  }
  const partitions = Array.from({ length: snapshots.partitions }, (_, partition) => partition);
  return [
    { name: "installation", partition: null } as const,
    ...partitions.map((partition) => ({ name: "partition", partition }) as const),
  ] satisfies Section[];
}
