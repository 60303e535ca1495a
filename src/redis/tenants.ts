import { fewAtATime } from "../domain/few-at-a-time.ts";
import type { Balance, Billing, Tenant, TenantStore } from "../domain/tenants/tenant.ts";
import { asUnavailable } from "./connection.ts";
import { openingCommands } from "./ledger.ts";
import { newestFirstAcross } from "./pages.ts";
import { createRecords, together } from "./records.ts";
import type { StoreParts } from "./store.ts";

type TenantRecord = {
  id: string;
  name: string;
  status: Tenant["status"];
  billing_mode: Billing["mode"];
  created_at: number;
};

export function createTenantStore({ connection, keys, run }: StoreParts): TenantStore {
  const records = createRecords<TenantRecord>(
    connection,
    keys.prefix,
    {
      id: { type: "string" },
      name: { type: "string" },
      status: { type: "string" },
      billing_mode: { type: "string" },
      created_at: { type: "number" },
    },
    "id",
  );

  const find = async (id: string): Promise<Tenant | null> => {
    const record = await records.read(keys.tenant(id));
    return (
      record && {
        id: record.id,
        name: record.name,
        status: record.status,
        billingMode: record.billing_mode,
        createdAtMs: record.created_at,
      }
    );
  };

  return {
    find,
    async create(tenant, billing) {
      const record: TenantRecord = {
        id: tenant.id,
        name: tenant.name,
        status: tenant.status,
        billing_mode: tenant.billingMode,
        created_at: tenant.createdAtMs,
      };
      const [credits, ledger] = [keys.credits(tenant.id), keys.ledger(tenant.id)];
      const opening =
        billing.mode === "prepaid"
          ? openingCommands({ credits, ledger }, billing.credits)
          : [["hset", credits, "mode", billing.mode, "cap", billing.monthlyCap]];
      const key = keys.tenant(tenant.id);
      await records.write(key, record, (fields) =>
        together(connection, [
          ["hset", key, ...Object.entries(fields).flat()],
          ...opening,
          ["zadd", keys.tenants(keys.partitionOf(tenant.id)), tenant.createdAtMs, tenant.id],
        ]),
      );
    },
    async list(page) {
      const indexes = keys.allPartitions.map((partition) => keys.tenants(partition));
      const { items, total } = await newestFirstAcross(connection, indexes, page);
      const tenants = await fewAtATime(items, find);
      return { items: tenants.filter((tenant) => tenant !== null), total };
    },
    async setStatus(id, status) {
      const reply = await run("set-tenant-status", [keys.tenant(id)], [status]);
      return reply as "changed" | "same" | "deleting" | "gone";
    },
    async balance(id, nowMs): Promise<Balance | null> {
      try {
        const credits = await connection.hgetall(keys.credits(id));
        if (credits.mode === undefined) return null;
        if (credits.mode === "prepaid") return { mode: "prepaid", credits: Number(credits.balance) };
        return {
          mode: "contract",
          monthlyCap: Number(credits.cap),
          usedThisMonth: Number(credits[`used:${monthOf(nowMs)}`] ?? 0),
        };
      } catch (error) {
        throw asUnavailable(error);
      }
    },
  };
}

/** The calendar month, UTC, as contract counters name it: `202611`. */
export function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7).replace("-", "");
}
