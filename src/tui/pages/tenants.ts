import type { Balance, TenantStore } from "../../domain/tenants/tenant.ts";
import { mostRows, type Page, type Place } from "../page.ts";
import { count, day } from "../shown.ts";

/** Tenants, the newest first, with what they can still create and how much they ask. */
export function createTenants(deps: {
  tenants: Pick<TenantStore, "list" | "find" | "balance">;
  tenantFigures(
    tenantId: string,
    nowMs: number,
  ): Promise<{ passes: number; createdToday: number; requests: number }>;
  nowMs(): number;
}): (place: Place) => Promise<Page> {
  return async ({ scope, stretch }) => {
    const { items, total } = await deps.tenants.list({ page: stretch + 1, pageSize: mostRows });
    const before = stretch * mostRows;
    const rows = await Promise.all(
      items.map(async ({ id, name, status, createdAtMs }) => {
        const [balance, { passes, createdToday, requests }] = await Promise.all([
          deps.tenants.balance(id, deps.nowMs()),
          deps.tenantFigures(id, deps.nowMs()),
        ]);
        return {
          id,
          cells: [
            scope?.id === id ? `• ${name}` : name,
            status,
            left(balance),
            count(passes),
            count(createdToday),
            count(requests),
            day(createdAtMs),
            id,
          ],
          tenant: { id, name },
          ...(status !== "active" && { tone: "warning" as const }),
          ...(isUsedUp(balance) && { tone: "bad" as const }),
        };
      }),
    );
    return {
      facts: [
        { name: "Tenants", text: count(total) },
        ...(total > rows.length
          ? [
              {
                name: "Shown",
                text: `${count(before + 1)} to ${count(before + rows.length)}, the newest first`,
              },
            ]
          : []),
      ],
      hasMore: before + rows.length < total,
      columns: [
        { title: "name" },
        { title: "status" },
        { title: "left", align: "right" },
        { title: "passes", align: "right" },
        { title: "today", align: "right" },
        { title: "req/min", align: "right" },
        { title: "since" },
        { title: "id", isLong: true },
      ],
      rows,
      empty: "There is no tenant yet. `passwright tenants create` makes one.",
    };
  };
}

function left(balance: Balance | null): string {
  if (balance === null) return "-";
  if (balance.mode === "prepaid") return count(balance.credits);
  return `${count(balance.monthlyCap - balance.usedThisMonth)} of ${count(balance.monthlyCap)}`;
}

function isUsedUp(balance: Balance | null): boolean {
  if (balance === null) return false;
  return balance.mode === "prepaid" ? balance.credits <= 0 : balance.usedThisMonth >= balance.monthlyCap;
}
