import { Flags } from "@oclif/core";
import { openExamination } from "../app.ts";
import { BaseCommand, exitCodes } from "../cli/base-command.ts";
import { reportLines } from "../cli/doctor-report.ts";
import { checks } from "../domain/doctor/checks.ts";
import { examine } from "../domain/doctor/examine.ts";

export default class Doctor extends BaseCommand {
  static override summary = "Check an installation, and say what to do about what is not well.";
  static override description =
    "Looks at Redis, the queue, keys and certificates, and whether wallets and receivers can be reached. Changes nothing without --fix. Exits 1 when something is wrong; warnings exit 0.";
  static override examples = [
    "<%= config.bin %> doctor",
    "<%= config.bin %> doctor --offline --json",
    "<%= config.bin %> doctor --deep --fix",
  ];
  static override flags = {
    fix: Flags.boolean({ description: "do what is safe about it, and write down that it was done" }),
    offline: Flags.boolean({ description: "connect to nothing but Redis" }),
    deep: Flags.boolean({ description: "look at all tenants and at every key, which takes its time" }),
  };

  async run() {
    const { flags } = await this.parse(Doctor);
    const { offline, deep } = flags;
    const config = this.readSettings({ redisUrl: flags["redis-url"] });
    const examination = await openExamination(config, { deep });
    try {
      const report = await examine({
        checks,
        needs: examination,
        clock: examination.clock,
        online: !offline,
        deep,
        mend: !flags.fix
          ? null
          : (check, fix) =>
              this.audited(
                examination,
                {
                  action: "doctor",
                  tenant_id: null,
                  target: { type: "check", id: check },
                  details: { fix: fix.does },
                  told: (result: string) => ({ details: { result } }),
                },
                () => fix.apply(),
              ),
      });
      this.log(reportLines(report).join("\n"));
      if (report.status === "failed") process.exitCode = exitCodes.failed;
      return report;
    } finally {
      await examination.close();
    }
  }
}
