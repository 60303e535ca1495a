import { BaseCommand } from "../../cli/base-command.ts";
import { tableLines } from "../../cli/table.ts";
import { wholeList } from "../../cli/tenant-flag.ts";
import { tenantResource } from "../../domain/tenants/resource.ts";

export default class TenantsList extends BaseCommand {
  static override description = "List tenants, newest first.";
  static override examples = ["<%= config.bin %> tenants list", "<%= config.bin %> tenants list --json"];

  async run() {
    const { flags } = await this.parse(TenantsList);
    return this.withApp(flags, async ({ tenants, clock }) => {
      const { items } = await tenants.list(wholeList);
      const resources = await Promise.all(
        items.map(async (tenant) => tenantResource(tenant, await tenants.balance(tenant.id, clock.nowMs()))),
      );
      const rows = resources.map((tenant) => [
        tenant.id ?? "",
        tenant.name ?? "",
        tenant.status ?? "",
        creditsOf(tenant),
      ]);
      this.printList(
        rows,
        () => tableLines(["id", "name", "status", "credits"], rows),
        "There is no tenant.",
      );
      return resources;
    });
  }
}

/** Of a tenant that is being deleted the balance may be gone already. */
function creditsOf({ credits, contract_cap: cap, used_this_month: used }: ReturnType<typeof tenantResource>) {
  return credits ?? (cap === undefined ? "-" : `${used} of ${cap} this month`);
}
