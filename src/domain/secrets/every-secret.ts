import type { Page, PageRequest } from "../page.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { SealedSecret, SealedSecrets } from "./sealed-secret.ts";

const pageSize = 500;

export type SecretDeps = {
  secrets: SealedSecrets;
  tenants: { list(page: PageRequest): Promise<Page<Tenant>> };
};

/** Every sealed secret: the installation's, then each tenant's, the newest tenants first. */
export async function* everySecret({ secrets, tenants }: SecretDeps): AsyncGenerator<SealedSecret> {
  yield* await secrets.signingKeys();
  // A tenant that comes meanwhile moves the others down, so one may be met twice, and none is missed.
  for (let page = 1; ; page += 1) {
    const { items, total } = await tenants.list({ page, pageSize });
    for (const { id } of items) yield* await secrets.ofTenant(id);
    if (page * pageSize >= total) return;
  }
}
