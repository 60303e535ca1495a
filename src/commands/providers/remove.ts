import { BaseCommand } from "../../cli/base-command.ts";
import { confirmDanger, yesFlag } from "../../cli/confirmation.ts";
import { tenantFlag } from "../../cli/tenant-flag.ts";
import { walletArgument } from "../../cli/wallet-argument.ts";
import { findProvider } from "../../domain/providers/find.ts";
import { removeProvider } from "../../domain/providers/remove.ts";
import { providerResource } from "../../domain/providers/resource.ts";
import { findTenant } from "../../domain/tenants/find.ts";

export default class ProvidersRemove extends BaseCommand {
  static override summary = "Forget a tenant's credentials for a wallet for good.";
  static override description =
    "As `providers disable`, and the credentials are gone: passes that are in the wallet can be neither updated nor revoked until others are set for the same account.";
  static override examples = [
    "<%= config.bin %> providers remove google --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> providers remove apple --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --yes --json",
  ];
  static override args = walletArgument;
  static override flags = { tenant: tenantFlag, yes: yesFlag };

  async run() {
    const { args, flags } = await this.parse(ProvidersRemove);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, flags.tenant);
      const named = { tenantId: tenant.id, wallet: args.wallet };
      const configuration = await findProvider(app, named);
      await confirmDanger({
        yes: flags.yes,
        consequences: [
          `This forgets the credentials of ${tenant.name} (${tenant.id}) for ${args.wallet}: ${Object.values(configuration.summary).join(", ")}.`,
          "They cannot be had back from here. Passes that are in the wallet stay there, and can be neither updated nor revoked.",
        ],
        word: args.wallet,
      });
      const act = {
        action: "providers.remove",
        tenant_id: tenant.id,
        target: { type: "provider", id: args.wallet },
        details: configuration.summary,
      };
      await this.audited(app, act, () => removeProvider(app, named));
      this.log(`The tenant ${tenant.name} has no credentials for ${args.wallet} any more.`);
      return { ...providerResource(configuration), enabled: false, removed: true };
    });
  }
}
