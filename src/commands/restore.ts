import { setTimeout as delay } from "node:timers/promises";
import { Args, Flags } from "@oclif/core";
import { type App, openRestorations, openSealedSecrets, openTenantRemoval } from "../app.ts";
import { readLines } from "../cli/backup-file.ts";
import { BaseCommand, exitCodes } from "../cli/base-command.ts";
import { confirmDanger, yesFlag } from "../cli/confirmation.ts";
import { createProgress } from "../cli/progress.ts";
import type { Restorations } from "../domain/backups/restorations.ts";
import {
  inTheWay,
  inUse,
  type RestoreResult,
  requireTakable,
  restoreBackup,
  restoreName,
} from "../domain/backups/restore.ts";
import { type Survey, surveyBackup } from "../domain/backups/survey.ts";
import { PasswrightError } from "../domain/errors.ts";
import { countUnopened } from "../domain/secrets/unopened.ts";
import { deleteTenant, sweepTenant } from "../domain/tenants/remove.ts";

/** Within this time every process knows that a tenant is no more. */
const knownMs = 5000;

export default class Restore extends BaseCommand {
  static override description =
    "Put a backup back: all of it, or one tenant. A file is checked to its end before anything is written. What was interrupted goes on with the same command.";
  static override examples = [
    "<%= config.bin %> restore /var/backups/passwright.backup",
    "<%= config.bin %> restore /var/backups/passwright.backup --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "zstd -dc tenant.backup.zst | <%= config.bin %> restore -",
  ];
  static override args = {
    file: Args.string({ description: "the backup; - is standard input", required: true }),
  };
  static override flags = {
    tenant: Flags.string({ description: "only this tenant of the backup", helpValue: "ID" }),
    yes: yesFlag,
  };

  async run() {
    const { args, flags } = await this.parse(Restore);
    return this.withApp(flags, async (app) => {
      const tenantId = flags.tenant ?? null;
      const signal = this.stopSignal();
      const { restorations, close } = await openRestorations(app);
      try {
        const overwrite =
          args.file === "-"
            ? flags.yes === true
            : await this.prepare(app, restorations, { file: args.file, tenantId, yes: flags.yes });
        const progress = createProgress("restore");
        const act = {
          action: "restore",
          tenant_id: tenantId,
          target: tenantId === null ? null : { type: "tenant", id: tenantId },
          details: { from: args.file, overwrite },
          isLong: true,
          told: ({ backup, complete, tenants, records }: RestoreResult) => ({
            details: { backup, tenants, records },
            ...(!complete && { result: "cancelled" as const }),
          }),
        };
        const result = await this.audited(app, act, () =>
          restoreBackup(
            { restorations, vault: app.store.vault, clear: (id) => this.clear(app, id) },
            readLines(args.file),
            { tenantId, overwrite, signal },
            (records) => progress.at(records),
          ).finally(progress.end),
        );
        return await this.tell(app, result);
      } finally {
        await close();
      }
    });
  }

  /** Reads the file to its end, and asks where something is in the way. Answers whether that may be overwritten. */
  private async prepare(
    app: App,
    restorations: Restorations,
    { file, tenantId, yes }: { file: string; tenantId: string | null; yes: boolean },
  ): Promise<boolean> {
    const survey = await surveyBackup(readLines(file));
    if (survey.damage !== null) throw survey.damage;
    const { header, tenants } = survey as Survey & { header: NonNullable<Survey["header"]> };
    requireTakable({ restorations, vault: app.store.vault }, header);
    const name = restoreName(header.id, tenantId);
    const wanted = tenantId === null ? [...tenants] : [tenantId].filter((id) => tenants.has(id));
    const obstacles: string[] = [];
    for (const id of wanted) if ((await restorations.obstacle(id, name)) !== null) obstacles.push(id);
    const isInUse = tenantId === null && header.tenant_id === null && (await restorations.isInUse(name));
    if (obstacles.length === 0 && !isInUse) return false;
    const [only] = obstacles;
    const found = obstacles.length === 1 && only !== undefined ? await app.tenants.find(only) : null;
    const refusal = obstacles.length > 0 ? inTheWay(obstacles) : new PasswrightError("invalid_state", inUse);
    if (!yes && process.stdin.isTTY !== true) throw refusal;
    await confirmDanger({
      yes,
      consequences: [
        ...(obstacles.length > 0
          ? [
              `This deletes ${obstacles.length} tenants that are there (${obstacles.slice(0, 3).join(", ")}) and puts those of the backup of ${header.made_at} in their place.`,
            ]
          : []),
        ...(isInUse
          ? ["Signing keys, system templates and what is on sale are replaced: tokens that are out end."]
          : []),
      ],
      word: found?.name ?? "overwrite",
    });
    for (const id of obstacles) await this.clear(app, id);
    return true;
  }

  private async clear(app: App, id: string): Promise<void> {
    const tenantRemoval = await openTenantRemoval(app);
    process.stderr.write(`Deleting what there is of the tenant ${id} ...\n`);
    if ((await app.tenants.find(id)) === null) {
      await sweepTenant({ tenantRemoval }, id);
      return;
    }
    const untilKnown = () => delay(Math.max(knownMs, app.config.jobLeaseMs / 3 + 1000));
    await deleteTenant({ tenants: app.tenants, tenantRemoval, untilKnown }, id);
  }

  private async tell(app: App, result: RestoreResult) {
    if (!result.complete) {
      process.exitCode = exitCodes.partly;
      process.stderr.write("Interrupted. The same command goes on with it.\n");
      return { ...result, unopened_secrets: null };
    }
    this.log(
      `The backup ${result.backup} is restored: ${result.tenants} tenants, ${result.records} records read.`,
    );
    const secrets = await openSealedSecrets(app);
    const unopened = await countUnopened({ secrets, tenants: app.tenants, vault: app.store.vault });
    if (unopened > 0) {
      process.exitCode = exitCodes.partly;
      process.stderr.write(
        `${unopened} secrets cannot be opened: they were sealed under a master key that is not among those of PASSWRIGHT_MASTER_KEY. Add it behind the first one.\n`,
      );
    }
    return { ...result, unopened_secrets: unopened };
  }
}
