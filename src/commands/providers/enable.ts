import { BaseCommand } from "../../cli/base-command.ts";
import { factLines } from "../../cli/table.ts";
import { tenantFlag } from "../../cli/tenant-flag.ts";
import { walletArgument } from "../../cli/wallet-argument.ts";
import { enableProvider } from "../../domain/providers/change-status.ts";
import { providerResource } from "../../domain/providers/resource.ts";
import { findTenant } from "../../domain/tenants/find.ts";

export default class ProvidersEnable extends BaseCommand {
  static override summary = "Let a tenant's passes go to a wallet again.";
  static override description =
    "Within 5 seconds, with the credentials that it had. Passes that were made meanwhile get the wallet with their next update.";
  static override examples = [
    "<%= config.bin %> providers enable apple --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> providers enable google --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --json",
  ];
  static override args = walletArgument;
  static override flags = { tenant: tenantFlag };

  async run() {
    const { args, flags } = await this.parse(ProvidersEnable);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, flags.tenant);
      const act = {
        action: "providers.enable",
        tenant_id: tenant.id,
        target: { type: "provider", id: args.wallet },
      };
      const { configuration, changed } = await this.audited(app, act, () =>
        enableProvider(app, { tenantId: tenant.id, wallet: args.wallet }),
      );
      const resource = { ...providerResource(configuration), changed };
      this.log(factLines(resource).join("\n"));
      return resource;
    });
  }
}
