import { asUnavailable } from "./connection.ts";
import type { StoreParts } from "./store.ts";

/** How many passes a tenant has, and how many of them were created on the day (UTC) of `nowMs`. */
export function createTenantFigures({ connection, keys }: Pick<StoreParts, "connection" | "keys">) {
  return async (tenantId: string, nowMs: number): Promise<{ passes: number; createdToday: number }> => {
    try {
      const today = new Date(nowMs).toISOString().slice(0, 10);
      const [passes, created] = await Promise.all([
        connection.zcard(keys.passes(tenantId)),
        connection.hget(keys.eventCounts(tenantId, today), "pass.created"),
      ]);
      return { passes, createdToday: Number(created ?? 0) };
    } catch (error) {
      throw asUnavailable(error);
    }
  };
}
