import { BaseCommand } from "../../cli/base-command.ts";
import { limitOf, listLimitFlags, pageOf, tellOfMore } from "../../cli/list-limit.ts";
import { tableLines } from "../../cli/table.ts";
import { fewAtATime } from "../../domain/few-at-a-time.ts";
import { tenantResource } from "../../domain/tenants/resource.ts";

export default class TenantsList extends BaseCommand {
  static override description = "List tenants, newest first.";
  static override examples = [
    "<%= config.bin %> tenants list",
    "<%= config.bin %> tenants list --limit 20 --json",
    "<%= config.bin %> tenants list --all --json",
  ];
  static override flags = listLimitFlags;

  async run() {
    const { flags } = await this.parse(TenantsList);
    return this.withApp(flags, async ({ tenants, clock }) => {
      const { items, total } = await tenants.list(pageOf(limitOf(flags)));
      const resources = await fewAtATime(items, async (tenant) =>
        tenantResource(tenant, await tenants.balance(tenant.id, clock.nowMs())),
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
      if (total > items.length) tellOfMore(items.length, `${total} tenants. --limit N or --all shows them.`);
      return resources;
    });
  }
}

/** Of a tenant that is being deleted the balance may be gone already. */
function creditsOf({ credits, contract_cap: cap, used_this_month: used }: ReturnType<typeof tenantResource>) {
  return credits ?? (cap === undefined ? "-" : `${used} of ${cap} this month`);
}
