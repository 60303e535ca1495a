import { Flags } from "@oclif/core";
import { BaseCommand } from "../../cli/base-command.ts";
import { factLines } from "../../cli/table.ts";
import { invalidRequest } from "../../domain/errors.ts";
import { createTenant } from "../../domain/tenants/create.ts";
import { tenantResource } from "../../domain/tenants/resource.ts";
import type { Billing } from "../../domain/tenants/tenant.ts";

export default class TenantsCreate extends BaseCommand {
  static override description = "Create a tenant: prepaid with 0 credits, unless told otherwise.";
  static override examples = [
    "<%= config.bin %> tenants create --name 'Acme Coffee' --credits 1000",
    "<%= config.bin %> tenants create --name 'Acme Airlines' --contract-cap 50000 --json",
  ];
  static override flags = {
    name: Flags.string({ description: "what operators call it", required: true }),
    credits: Flags.integer({ description: "prepaid credits to begin with", exclusive: ["contract-cap"] }),
    "contract-cap": Flags.integer({ description: "passes per calendar month under a contract" }),
  };

  async run() {
    const { flags } = await this.parse(TenantsCreate);
    const cap = flags["contract-cap"];
    const billing: Billing =
      cap === undefined
        ? { mode: "prepaid", credits: flags.credits ?? 0 }
        : { mode: "contract", monthlyCap: cap };
    if (flags.name.trim() === "") throw invalidRequest([{ path: "--name", message: "must not be empty" }]);
    return this.withApp(flags, async (app) => {
      const act = {
        action: "tenants.create",
        tenant_id: null,
        target: null,
        details: { name: flags.name, ...billing },
        told: ({ id }: Awaited<ReturnType<typeof createTenant>>) => ({
          tenant_id: id,
          target: { type: "tenant", id },
        }),
      };
      const tenant = await this.audited(app, act, () => createTenant(app, { name: flags.name, billing }));
      const resource = tenantResource(tenant, await app.tenants.balance(tenant.id, app.clock.nowMs()));
      this.log(factLines(resource).join("\n"));
      return resource;
    });
  }
}
