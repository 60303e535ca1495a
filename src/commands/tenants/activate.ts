import { Args } from "@oclif/core";
import { BaseCommand } from "../../cli/base-command.ts";
import { factLines } from "../../cli/table.ts";
import { activateTenant } from "../../domain/tenants/change-status.ts";
import { tenantResource } from "../../domain/tenants/resource.ts";

export default class TenantsActivate extends BaseCommand {
  static override description = "Let a suspended tenant back in; its live tokens work again.";
  static override examples = [
    "<%= config.bin %> tenants activate 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> tenants activate 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --json",
  ];
  static override args = { id: Args.string({ description: "the tenant's id", required: true }) };

  async run() {
    const { args, flags } = await this.parse(TenantsActivate);
    return this.withApp(flags, async (app) => {
      const act = { action: "tenants.activate", tenant_id: args.id, target: { type: "tenant", id: args.id } };
      const { tenant, changed } = await this.audited(app, act, () => activateTenant(app, args.id));
      const balance = await app.tenants.balance(tenant.id, app.clock.nowMs());
      const resource = { ...tenantResource(tenant, balance), changed };
      this.log(factLines(resource).join("\n"));
      return resource;
    });
  }
}
