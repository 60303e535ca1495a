/** The number of partitions that a fresh store gets. It is kept in the store, and never changes afterwards. */
export const defaultPartitions = 16;

/** The partition in which everything of a tenant (or of an id drawn beside it) lives: FNV-1a, 32 bits, modulo. */
export function partitionOf(id: string, partitions: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) {
    hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193) >>> 0;
  }
  return hash % partitions;
}
