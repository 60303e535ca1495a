import { Args, Flags } from "@oclif/core";
import { BaseCommand } from "../../cli/base-command.ts";
import { factLines } from "../../cli/table.ts";
import { addCredits } from "../../domain/credits/add.ts";
import { findTenant } from "../../domain/tenants/find.ts";
import { tenantResource } from "../../domain/tenants/resource.ts";

export default class TenantsCredits extends BaseCommand {
  static override description = "Add credits to a prepaid tenant; one credit is one pass.";
  static override examples = [
    "<%= config.bin %> tenants credits 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --add 500",
    "<%= config.bin %> tenants credits 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --add 500 --json",
  ];
  static override args = { id: Args.string({ description: "the tenant's id", required: true }) };
  static override flags = {
    add: Flags.integer({ description: "how many", required: true, helpValue: "N" }),
  };

  async run() {
    const { args, flags } = await this.parse(TenantsCredits);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, args.id);
      const act = {
        action: "tenants.credits",
        tenant_id: tenant.id,
        target: { type: "tenant", id: tenant.id },
        details: { added: flags.add },
        told: (balance: number) => ({ details: { balance } }),
      };
      const credits = await this.audited(app, act, () =>
        addCredits(app, { tenantId: tenant.id, amount: flags.add }),
      );
      const resource = tenantResource(tenant, { mode: "prepaid", credits });
      this.log(factLines(resource).join("\n"));
      return resource;
    });
  }
}
