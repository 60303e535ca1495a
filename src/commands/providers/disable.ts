import { BaseCommand } from "../../cli/base-command.ts";
import { factLines } from "../../cli/table.ts";
import { tenantFlag } from "../../cli/tenant-flag.ts";
import { walletArgument } from "../../cli/wallet-argument.ts";
import { disableProvider } from "../../domain/providers/change-status.ts";
import { providerResource } from "../../domain/providers/resource.ts";
import { findTenant } from "../../domain/tenants/find.ts";

export default class ProvidersDisable extends BaseCommand {
  static override summary = "Keep a tenant's passes from a wallet.";
  static override description =
    "Within 5 seconds new passes leave it out, where their template has another wallet; where it has none, they are refused (no_providers). Accepted work for the wallet fails when its turn comes (provider_credentials_invalid), revocations as dead letters. The credentials stay: `providers enable` undoes it.";
  static override examples = [
    "<%= config.bin %> providers disable apple --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> providers disable google --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --json",
  ];
  static override args = walletArgument;
  static override flags = { tenant: tenantFlag };

  async run() {
    const { args, flags } = await this.parse(ProvidersDisable);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, flags.tenant);
      const act = {
        action: "providers.disable",
        tenant_id: tenant.id,
        target: { type: "provider", id: args.wallet },
      };
      const { configuration, changed } = await this.audited(app, act, () =>
        disableProvider(app, { tenantId: tenant.id, wallet: args.wallet }),
      );
      const resource = { ...providerResource(configuration), changed };
      this.log(factLines(resource).join("\n"));
      return resource;
    });
  }
}
