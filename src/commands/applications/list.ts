import { BaseCommand } from "../../cli/base-command.ts";
import { tableLines } from "../../cli/table.ts";
import { tenantFlag, wholeList } from "../../cli/tenant-flag.ts";
import { applicationResource } from "../../domain/applications/resource.ts";
import { findTenant } from "../../domain/tenants/find.ts";

export default class ApplicationsList extends BaseCommand {
  static override description = "List a tenant's applications, newest first. Exits 4 when there is none.";
  static override examples = ["<%= config.bin %> applications list --tenant ID"];
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
