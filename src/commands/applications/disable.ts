import { Args } from "@oclif/core";
import { BaseCommand } from "../../cli/base-command.ts";
import { factLines } from "../../cli/table.ts";
import { tenantFlag } from "../../cli/tenant-flag.ts";
import { disableApplication } from "../../domain/applications/change-status.ts";
import { applicationResource } from "../../domain/applications/resource.ts";
import { findTenant } from "../../domain/tenants/find.ts";

export default class ApplicationsDisable extends BaseCommand {
  static override description = "Shut an application out: its tokens are refused within 5 seconds.";
  static override examples = ["<%= config.bin %> applications disable ID --tenant ID"];
  static override args = { id: Args.string({ description: "the application's id", required: true }) };
  static override flags = { tenant: tenantFlag };

  async run() {
    const { args, flags } = await this.parse(ApplicationsDisable);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, flags.tenant);
      const act = {
        action: "applications.disable",
        tenant_id: tenant.id,
        target: { type: "application", id: args.id },
      };
      const { application, changed } = await this.audited(app, act, () =>
        disableApplication(app, { tenantId: tenant.id, id: args.id }),
      );
      const resource = { ...applicationResource(application), changed };
      this.log(factLines(resource).join("\n"));
      return resource;
    });
  }
}
