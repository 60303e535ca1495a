import { BaseCommand } from "../../cli/base-command.ts";
import { factLines } from "../../cli/table.ts";
import { tenantFlag } from "../../cli/tenant-flag.ts";
import { walletArgument } from "../../cli/wallet-argument.ts";
import { findProvider } from "../../domain/providers/find.ts";
import { providerResource } from "../../domain/providers/resource.ts";
import { findTenant } from "../../domain/tenants/find.ts";

export default class ProvidersShow extends BaseCommand {
  static override summary = "Show a tenant's configuration of a wallet.";
  static override description =
    "Whose account it is, whether it is enabled, when an Apple certificate expires. Of what is secret nothing is shown.";
  static override examples = [
    "<%= config.bin %> providers show apple --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> providers show google --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --json",
  ];
  static override args = walletArgument;
  static override flags = { tenant: tenantFlag };

  async run() {
    const { args, flags } = await this.parse(ProvidersShow);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, flags.tenant);
      const configuration = await findProvider(app, { tenantId: tenant.id, wallet: args.wallet });
      const resource = providerResource(configuration);
      this.log(factLines(resource).join("\n"));
      return resource;
    });
  }
}
