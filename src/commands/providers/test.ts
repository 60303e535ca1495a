import { openStoredCredentialChecks } from "../../app.ts";
import { BaseCommand, exitCodes } from "../../cli/base-command.ts";
import { factLines } from "../../cli/table.ts";
import { tenantFlag } from "../../cli/tenant-flag.ts";
import { walletArgument } from "../../cli/wallet-argument.ts";
import { providerResource } from "../../domain/providers/resource.ts";
import { testProvider } from "../../domain/providers/test.ts";
import { findTenant } from "../../domain/tenants/find.ts";

/** As long as `providers set` waits for Google. */
const patienceMs = 30_000;

export default class ProvidersTest extends BaseCommand {
  static override summary = "Check a tenant's credentials for a wallet right now, and say what is wrong.";
  static override description =
    "For Apple: the identifiers in the certificate, its expiry, its key, the chain to Apple's intermediate and that one's expiry, and a probe signature; Apple is not asked. For Google: a token, and a look at the issuer's classes. A disabled configuration can be tested, too. Changes nothing. Exits with 0 when they work, with 1 otherwise.";
  static override examples = [
    "<%= config.bin %> providers test apple --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> providers test google --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --json",
  ];
  static override args = walletArgument;
  static override flags = { tenant: tenantFlag };

  async run() {
    const { args, flags } = await this.parse(ProvidersTest);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, flags.tenant);
      const { configuration, failure, warning } = await testProvider(
        { ...app, credentialChecks: await openStoredCredentialChecks(app) },
        { tenantId: tenant.id, wallet: args.wallet, signal: AbortSignal.timeout(patienceMs) },
      );
      const resource = {
        ...providerResource(configuration),
        works: failure === null,
        error: failure?.error ?? null,
        error_description: failure?.description ?? null,
        remedy: failure?.remedy ?? null,
        warning,
      };
      const known = Object.entries(resource).filter(([, value]) => value !== null);
      this.log(factLines(Object.fromEntries(known) as Record<string, string | boolean>).join("\n"));
      if (!configuration.enabled) {
        this.logToStderr(
          `It is disabled: no pass goes there. \`passwright providers enable ${args.wallet} --tenant ${tenant.id}\` changes that.`,
        );
      }
      if (failure !== null) process.exitCode = exitCodes.failed;
      return resource;
    });
  }
}
