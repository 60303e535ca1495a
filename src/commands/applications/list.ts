import { BaseCommand } from "../../cli/base-command.ts";
import { limitOf, listLimitFlags, pageOf, tellOfMore } from "../../cli/list-limit.ts";
import { tableLines } from "../../cli/table.ts";
import { tenantFlag } from "../../cli/tenant-flag.ts";
import { applicationResource } from "../../domain/applications/resource.ts";
import { findTenant } from "../../domain/tenants/find.ts";

export default class ApplicationsList extends BaseCommand {
  static override description = "List a tenant's applications, newest first. Exits 4 when there is none.";
  static override examples = [
    "<%= config.bin %> applications list --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> applications list --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --json",
  ];
  static override flags = { tenant: tenantFlag, ...listLimitFlags };

  async run() {
    const { flags } = await this.parse(ApplicationsList);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, flags.tenant);
      const { items, total } = await app.applications.list(tenant.id, pageOf(limitOf(flags)));
      const rows = items.map(({ id, name, type, status }) => [id, name, type, status]);
      this.printList(
        rows,
        () => tableLines(["id", "name", "type", "status"], rows),
        "There is no application.",
      );
      if (total > items.length) {
        tellOfMore(items.length, `${total} applications. --limit N or --all shows them.`);
      }
      return items.map(applicationResource);
    });
  }
}
