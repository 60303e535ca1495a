import { Flags } from "@oclif/core";
import { openSnapshots, productVersion } from "../app.ts";
import { openBackupFile, readBeginning } from "../cli/backup-file.ts";
import { BaseCommand, exitCodes } from "../cli/base-command.ts";
import { createProgress } from "../cli/progress.ts";
import { type BackupResult, backUp } from "../domain/backups/back-up.ts";
import { invalidRequest } from "../domain/errors.ts";
import { findTenant } from "../domain/tenants/find.ts";

export default class Backup extends BaseCommand {
  static override description =
    "Copy a tenant, or the whole installation, into a file while everything goes on; each tenant as it is at one instant. Secrets stay sealed: keep the master key apart from it.";
  static override examples = [
    "<%= config.bin %> backup --all --to /var/backups/passwright.backup",
    "<%= config.bin %> backup --all --to /var/backups/passwright.backup --resume",
    "<%= config.bin %> backup --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --to - | zstd > tenant.backup.zst",
  ];
  static override flags = {
    tenant: Flags.string({ description: "only this tenant", helpValue: "ID", exactlyOne: ["tenant", "all"] }),
    all: Flags.boolean({ description: "the whole installation" }),
    to: Flags.string({
      description: "the new file; - is standard output",
      required: true,
      helpValue: "FILE",
    }),
    resume: Flags.boolean({
      description: "go on with the file of an interrupted backup, behind its last whole section",
    }),
  };

  async run() {
    const { flags } = await this.parse(Backup);
    const isPiped = flags.to === "-";
    if (isPiped && flags.resume) {
      throw invalidRequest([
        { path: "--resume", message: "needs a file: nothing can be gone on with on standard output" },
      ]);
    }
    if (isPiped && this.jsonEnabled()) {
      throw invalidRequest([
        { path: "--json", message: "cannot go with --to -: standard output takes the backup" },
      ]);
    }
    return this.withApp(flags, async (app) => {
      const tenantId = flags.tenant ?? null;
      if (tenantId !== null) await findTenant(app, tenantId);
      const beginning = flags.resume ? await readBeginning(flags.to) : null;
      if (beginning?.isWhole === true) {
        throw invalidRequest([
          { path: "--resume", message: `finds nothing to go on with: ${flags.to} is whole` },
        ]);
      }
      const signal = this.stopSignal();
      const progress = createProgress("backup");
      const act = {
        action: "backup",
        tenant_id: tenantId,
        target: tenantId === null ? null : { type: "tenant", id: tenantId },
        details: { to: flags.to, resumed: beginning !== null },
        isLong: true,
        told: ({ id, complete, records }: BackupResult) => ({
          details: { backup: id, records },
          ...(!complete && { result: "cancelled" as const }),
        }),
      };
      const result = await this.audited(app, act, async () => {
        const { snapshots, close } = await openSnapshots(app);
        try {
          const file = await openBackupFile(flags.to, beginning);
          try {
            return await backUp(
              { snapshots, clock: app.clock, ids: app.ids, vault: app.store.vault },
              { tenantId, product: productVersion(), beginning, signal },
              file.write,
              ({ section, sections, records }) =>
                progress.at(records, { note: `section ${section} of ${sections}` }),
            );
          } finally {
            progress.end();
            await file.close();
          }
        } finally {
          await close();
        }
      });
      return this.tell(result, flags.to);
    });
  }

  private tell(result: BackupResult, to: string) {
    const say = (line: string): void => {
      if (to === "-") process.stderr.write(`${line}\n`);
      else this.log(line);
    };
    if (result.complete) {
      say(`The backup ${result.id} is complete: ${result.records} records.`);
    } else {
      process.exitCode = exitCodes.partly;
      const scope = result.tenant_id === null ? "--all" : `--tenant ${result.tenant_id}`;
      const goOn = to === "-" ? "" : ` \`passwright backup ${scope} --to ${to} --resume\` goes on with it.`;
      process.stderr.write(`Interrupted.${goOn}\n`);
    }
    return { ...result, to };
  }
}
