import { isUuid } from "../ids.ts";
import { noSuchTenant } from "./find.ts";
import type { TenantStore } from "./tenant.ts";

/** The records of a tenant, wherever they are, and the way to be rid of them. */
export type TenantRemoval = {
  /**
   * A bounded step through the store, from the beginning where `cursor` is null. Answers where to go on (null: that was
   * the last step) and how many records it removed. The record of the tenant itself stays.
   */
  sweep(tenantId: string, cursor: string | null): Promise<{ cursor: string | null; removed: number }>;
  /** Removes the record of a tenant that is being deleted. */
  forget(tenantId: string): Promise<void>;
};

/**
 * Deletes a tenant with everything that is its own. It is marked first: from then on its tokens are refused and its work
 * is dropped. What is interrupted goes on with the next call. `untilKnown` resolves when every process knows of
 * the mark and none writes for the tenant any more. Answers how many records there were; rejects with not_found.
 */
export async function deleteTenant(
  deps: {
    tenants: Pick<TenantStore, "setStatus">;
    tenantRemoval: TenantRemoval;
    untilKnown(): Promise<void>;
  },
  id: string,
  onProgress: (removed: number) => void = () => {},
): Promise<{ removed: number }> {
  const outcome = isUuid(id) ? await deps.tenants.setStatus(id, "deleting") : "gone";
  if (outcome === "gone") throw noSuchTenant(id);
  let total = 0;
  const sweepAll = async (): Promise<number> => {
    const found = await sweepTenant(deps, id, (count) => onProgress(total + count));
    total += found;
    return found;
  };
  // Without its records, whoever still works for the tenant loses the lease within the wait, and can write no more.
  await sweepAll();
  await deps.untilKnown();
  // What was written meanwhile. Keys that appear during a scan may escape it, so the last one must find nothing.
  while ((await sweepAll()) > 0);
  await deps.tenantRemoval.forget(id);
  return { removed: total + 1 };
}

/** Removes what a tenant has but for its record, once. Answers how many records that were. */
export async function sweepTenant(
  deps: { tenantRemoval: Pick<TenantRemoval, "sweep"> },
  id: string,
  onProgress: (removed: number) => void = () => {},
): Promise<number> {
  let removed = 0;
  let cursor: string | null = null;
  do {
    const step: Awaited<ReturnType<TenantRemoval["sweep"]>> = await deps.tenantRemoval.sweep(id, cursor);
    removed += step.removed;
    cursor = step.cursor;
    if (step.removed > 0) onProgress(removed);
  } while (cursor !== null);
  return removed;
}
