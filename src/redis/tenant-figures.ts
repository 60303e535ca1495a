import { requestsAMinute } from "../domain/tenants/request-rate.ts";
import { asUnavailable } from "./connection.ts";
import { minuteOf } from "./request-counter.ts";
import type { StoreParts } from "./store.ts";

export type TenantFigures = {
  passes: number;
  /** On the day (UTC) of `nowMs`. */
  createdToday: number;
  /** In the minute before `nowMs`. */
  requests: number;
};

/** How much a tenant has, and does. */
export function createTenantFigures({ connection, keys }: Pick<StoreParts, "connection" | "keys">) {
  return async (tenantId: string, nowMs: number): Promise<TenantFigures> => {
    const partition = keys.partitionOf(tenantId);
    const minute = minuteOf(nowMs);
    try {
      const today = new Date(nowMs).toISOString().slice(0, 10);
      const [passes, created, thisMinute, before] = await Promise.all([
        connection.zcard(keys.passes(tenantId)),
        connection.hget(keys.eventCounts(tenantId, today), "pass.created"),
        connection.hget(keys.requests(partition, minute), tenantId),
        connection.hget(keys.requests(partition, minute - 1), tenantId),
      ]);
      const counted = { thisMinute: Number(thisMinute ?? 0), before: Number(before ?? 0) };
      return { passes, createdToday: Number(created ?? 0), requests: requestsAMinute(counted, nowMs) };
    } catch (error) {
      throw asUnavailable(error);
    }
  };
}
