import { BaseCommand } from "../../cli/base-command.ts";
import { tableLines } from "../../cli/table.ts";
import { tenantFlag, wholeList } from "../../cli/tenant-flag.ts";
import { applicationResource } from "../../domain/applications/resource.ts";
import { findTenant } from "../../domain/tenants/find.ts";

export default class ApplicationsList extends BaseCommand {
  static override description = "List a tenant's applications, newest first. Exits 4 when there is none.";
  static override examples = [
    "<%= config.bin %> applications list --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> applications list --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --json",
  ];
  static override flags = { tenant: tenantFlag };

  async run() {
    const { flags } = await this.parse(ApplicationsList);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, flags.tenant);
      const { items } = await app.applications.list(tenant.id, wholeList);
      const rows = items.map(({ id, name, type, status }) => [id, name, type, status]);
      this.printList(
        rows,
        () => tableLines(["id", "name", "type", "status"], rows),
        "There is no application.",
      );
      return items.map(applicationResource);
    });
  }
}
