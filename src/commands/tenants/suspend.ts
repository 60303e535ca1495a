import { Args } from "@oclif/core";
import { BaseCommand } from "../../cli/base-command.ts";
import { factLines } from "../../cli/table.ts";
import { suspendTenant } from "../../domain/tenants/change-status.ts";
import { tenantResource } from "../../domain/tenants/resource.ts";

export default class TenantsSuspend extends BaseCommand {
  static override description =
    "Shut a tenant out: its tokens are refused within 5 seconds. Accepted work is still carried out.";
  static override examples = [
    "<%= config.bin %> tenants suspend 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> tenants suspend 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --json",
  ];
  static override args = { id: Args.string({ description: "the tenant's id", required: true }) };

  async run() {
    const { args, flags } = await this.parse(TenantsSuspend);
    return this.withApp(flags, async (app) => {
      const act = { action: "tenants.suspend", tenant_id: args.id, target: { type: "tenant", id: args.id } };
      const { tenant, changed } = await this.audited(app, act, () => suspendTenant(app, args.id));
      const balance = await app.tenants.balance(tenant.id, app.clock.nowMs());
      const resource = { ...tenantResource(tenant, balance), changed };
      this.log(factLines(resource).join("\n"));
      return resource;
    });
  }
}
