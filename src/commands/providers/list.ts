import { BaseCommand } from "../../cli/base-command.ts";
import { tableLines } from "../../cli/table.ts";
import { tenantFlag } from "../../cli/tenant-flag.ts";
import { isDemoMode } from "../../domain/providers/configuration.ts";
import { providerResource } from "../../domain/providers/resource.ts";
import { findTenant } from "../../domain/tenants/find.ts";

export default class ProvidersList extends BaseCommand {
  static override description = "List the wallets that a tenant's passes go to.";
  static override examples = [
    "<%= config.bin %> providers list --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> providers list --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --json",
  ];
  static override flags = { tenant: tenantFlag };

  async run() {
    const { flags } = await this.parse(ProvidersList);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, flags.tenant);
      const configurations = await app.providerConfigurations.list(tenant.id);
      const rows = configurations.map((configuration) => {
        const { wallet, enabled, sandbox } = configuration;
        const { demo_mode: _, ...account } = configuration.summary;
        const facts = [...Object.values(account), ...(isDemoMode(configuration) ? ["demo mode"] : [])];
        const [status, kind] = [enabled ? "enabled" : "disabled", sandbox ? "sandbox" : "real"];
        return [wallet, status, kind, facts.join(", ")];
      });
      const heads = ["wallet", "status", "kind", "account"];
      this.printList(rows, () => tableLines(heads, rows), "No wallet is set up: `providers set` does it.");
      return configurations.map(providerResource);
    });
  }
}
