import type { Page, PageRequest } from "../page.ts";

/** deleting: of no use to anybody any more, until its last record is removed and it is gone. */
export type TenantStatus = "active" | "suspended" | "deleting";

/** How a tenant pays: credits bought ahead, or a contract with a cap on passes in a calendar month (UTC). */
export type Billing = { mode: "prepaid"; credits: number } | { mode: "contract"; monthlyCap: number };

export type Tenant = {
  id: string;
  name: string;
  status: TenantStatus;
  billingMode: Billing["mode"];
  createdAtMs: number;
};

/** What a tenant can still create now. */
export type Balance =
  | { mode: "prepaid"; credits: number }
  | { mode: "contract"; monthlyCap: number; usedThisMonth: number };

export type TenantStore = {
  /** Writes the tenant and its opening balance in one step. */
  create(tenant: Tenant, billing: Billing): Promise<void>;
  find(id: string): Promise<Tenant | null>;
  /** Newest first. */
  list(page: PageRequest): Promise<Page<Tenant>>;
  balance(id: string, nowMs: number): Promise<Balance | null>;
  /** `deleting`: it is being deleted, and stays so. `gone`: there is no such tenant. */
  setStatus(id: string, status: TenantStatus): Promise<"changed" | "same" | "deleting" | "gone">;
};
