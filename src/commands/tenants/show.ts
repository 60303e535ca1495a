import { Args } from "@oclif/core";
import { BaseCommand } from "../../cli/base-command.ts";
import { factLines } from "../../cli/table.ts";
import { findTenantEvenDeleting } from "../../domain/tenants/find.ts";
import { tenantResource } from "../../domain/tenants/resource.ts";

export default class TenantsShow extends BaseCommand {
  static override description = "Show a tenant and what it may still create.";
  static override examples = [
    "<%= config.bin %> tenants show 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> tenants show 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --json",
  ];
  static override args = { id: Args.string({ description: "the tenant's id", required: true }) };

  async run() {
    const { args, flags } = await this.parse(TenantsShow);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenantEvenDeleting(app, args.id);
      const resource = tenantResource(tenant, await app.tenants.balance(tenant.id, app.clock.nowMs()));
      this.log(factLines(resource).join("\n"));
      return resource;
    });
  }
}
