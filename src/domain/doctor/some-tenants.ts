import { fewAtATime } from "../few-at-a-time.ts";
import type { Credentials } from "../providers/configuration.ts";
import type { WalletKey } from "../templates/template.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { maxWebhooksPerTenant, type Webhook } from "../webhooks/webhook.ts";
import { counted } from "./check.ts";
import type { Installation } from "./ports.ts";

const longestPage = 1000;

/** The newest tenants, as many as may be looked at, and how many there are. */
export async function someTenants({
  tenants,
  mostTenants,
}: Pick<Installation, "tenants" | "mostTenants">): Promise<{ tenants: Tenant[]; total: number }> {
  const found: Tenant[] = [];
  const pageSize = Math.min(mostTenants, longestPage);
  for (let page = 1; ; page++) {
    const { items, total } = await tenants.list({ page, pageSize });
    found.push(...items);
    // A page may be short: a tenant whose record somebody deleted is listed all the same.
    if (page * pageSize >= total || found.length >= mostTenants) {
      return { tenants: found.slice(0, mostTenants), total };
    }
  }
}

/** A sentence's end that says of how many tenants it speaks. */
export function ofTenants({ tenants, total }: { tenants: readonly Tenant[]; total: number }): string {
  if (tenants.length === total) return `of ${counted(total, "tenant")}`;
  return `of the newest ${tenants.length} of ${total} tenants (all with --deep)`;
}

/** A tenant's opened credentials of a wallet, or why they cannot be opened. */
export type OpenedAccess<Wallet extends WalletKey> = { tenant: Tenant } & (
  | { credentials: Credentials[Wallet] }
  | { error: unknown }
);

/** The credentials of those tenants that have the wallet enabled. */
export async function openedAccess<Wallet extends WalletKey>(
  { providerConfigurations }: Pick<Installation, "providerConfigurations">,
  tenants: readonly Tenant[],
  wallet: Wallet,
): Promise<OpenedAccess<Wallet>[]> {
  const opened = await fewAtATime(tenants, async (tenant): Promise<OpenedAccess<Wallet> | null> => {
    try {
      const credentials = await providerConfigurations.credentials(tenant.id, wallet);
      return credentials && { tenant, credentials };
    } catch (error) {
      return { tenant, error };
    }
  });
  return opened.filter((access) => access !== null);
}

/** All webhooks of the tenants. */
export async function webhooksOf(
  { webhooks }: Pick<Installation, "webhooks">,
  tenants: readonly Tenant[],
): Promise<Webhook[]> {
  const request = { page: 1, pageSize: maxWebhooksPerTenant };
  const lists = await fewAtATime(tenants, ({ id }) => webhooks.list(id, request));
  return lists.flatMap(({ items }) => items);
}
