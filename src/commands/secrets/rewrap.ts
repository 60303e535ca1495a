import { Flags } from "@oclif/core";
import { openSealedSecrets } from "../../app.ts";
import { BaseCommand, exitCodes } from "../../cli/base-command.ts";
import { createProgress } from "../../cli/progress.ts";
import { type RewrapResult, rewrapSecrets } from "../../domain/secrets/rewrap.ts";

export default class SecretsRewrap extends BaseCommand {
  static override description =
    "Seal every stored secret under the first master key: signing keys, wallet credentials, webhook secrets. Afterwards the old master key can go. What was interrupted goes on with the same command.";
  static override examples = [
    "<%= config.bin %> secrets rewrap --dry-run",
    "<%= config.bin %> secrets rewrap",
  ];
  static override flags = {
    "dry-run": Flags.boolean({ default: false, description: "only count what would be sealed anew" }),
  };

  async run() {
    const { flags } = await this.parse(SecretsRewrap);
    return this.withApp(flags, async (app) => {
      const dryRun = flags["dry-run"];
      const signal = this.stopSignal();
      const deps = { secrets: await openSealedSecrets(app), tenants: app.tenants, vault: app.store.vault };
      const progress = createProgress("rewrap");
      const rewrap = () =>
        rewrapSecrets(deps, { dryRun, signal }, ({ secrets, rewrapped }) =>
          progress.at(secrets, { note: `${rewrapped} sealed anew` }),
        ).finally(progress.end);
      const act = {
        action: "secrets.rewrap",
        tenant_id: null,
        target: null,
        isLong: true,
        told: ({ complete, unopened_secrets: _, dry_run: __, ...counts }: RewrapResult) => ({
          details: counts,
          ...(!complete && { result: "cancelled" as const }),
        }),
      };
      const result = dryRun ? await rewrap() : await this.audited(app, act, rewrap);
      this.tell(result);
      return result;
    });
  }

  private tell(result: RewrapResult): void {
    const { secrets, rewrapped, current, gone } = result;
    const done = result.dry_run ? "would be sealed anew" : "sealed anew";
    this.log(
      `${secrets} secrets: ${rewrapped} ${done}, ${current} are under the first key already, ${gone} went meanwhile.`,
    );
    if (!result.complete) process.stderr.write("Interrupted. The same command goes on with the rest.\n");
    for (const { kind, tenant_id: tenantId, id } of result.unopened_secrets) {
      process.stderr.write(
        `Cannot be opened: ${kind} ${id}${tenantId === null ? "" : ` of the tenant ${tenantId}`}\n`,
      );
    }
    if (result.unopened > 0) {
      process.stderr.write(
        `${result.unopened} secrets are sealed under a master key that is not configured. Add it behind the first one and try again.\n`,
      );
    }
    if (result.unopened > 0 || !result.complete) process.exitCode = exitCodes.partly;
  }
}
