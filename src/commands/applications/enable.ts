import { Args } from "@oclif/core";
import { BaseCommand } from "../../cli/base-command.ts";
import { factLines } from "../../cli/table.ts";
import { tenantFlag } from "../../cli/tenant-flag.ts";
import { enableApplication } from "../../domain/applications/change-status.ts";
import { applicationResource } from "../../domain/applications/resource.ts";
import { findTenant } from "../../domain/tenants/find.ts";

export default class ApplicationsEnable extends BaseCommand {
  static override description = "Let a disabled application back in; its live tokens work again.";
  static override examples = [
    "<%= config.bin %> applications enable 0199d1c7-2b3c-7d4e-8f00-6a7b8c9d0e1f --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> applications enable 0199d1c7-2b3c-7d4e-8f00-6a7b8c9d0e1f --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --json",
  ];
  static override args = { id: Args.string({ description: "the application's id", required: true }) };
  static override flags = { tenant: tenantFlag };

  async run() {
    const { args, flags } = await this.parse(ApplicationsEnable);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, flags.tenant);
      const act = {
        action: "applications.enable",
        tenant_id: tenant.id,
        target: { type: "application", id: args.id },
      };
      const { application, changed } = await this.audited(app, act, () =>
        enableApplication(app, { tenantId: tenant.id, id: args.id }),
      );
      const resource = { ...applicationResource(application), changed };
      this.log(factLines(resource).join("\n"));
      return resource;
    });
  }
}
