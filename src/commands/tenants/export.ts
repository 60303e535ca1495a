import { Args, Flags } from "@oclif/core";
import { openExport, productVersion } from "../../app.ts";
import { BaseCommand, exitCodes } from "../../cli/base-command.ts";
import { openExportTarget } from "../../cli/export-target.ts";
import { createProgress } from "../../cli/progress.ts";
import { invalidRequest } from "../../domain/errors.ts";
import { exportStart, exportTenant } from "../../domain/exports/export-tenant.ts";
import { findTenant } from "../../domain/tenants/find.ts";

type Told = { tenant_id: string; complete: boolean; to: string; counts: Record<string, number> };

export default class TenantsExport extends BaseCommand {
  static override description =
    "Write all that there is of a tenant as readable JSON, an object a line, without secrets: for whoever has a right to see it.";
  static override examples = [
    "<%= config.bin %> tenants export 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --to tenant.ndjson",
    "mkdir export && <%= config.bin %> tenants export 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --to export",
    "<%= config.bin %> tenants export 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --to - | gzip > tenant.ndjson.gz",
  ];
  static override args = { id: Args.string({ description: "the tenant's id", required: true }) };
  static override flags = {
    to: Flags.string({
      description: "a new file; a directory, which gets a file for each type; - is standard output",
      required: true,
      helpValue: "DIR|FILE|-",
    }),
  };

  async run() {
    const { args, flags } = await this.parse(TenantsExport);
    if (flags.to === "-" && this.jsonEnabled()) {
      throw invalidRequest([
        { path: "--json", message: "cannot go with --to -: standard output takes the export" },
      ]);
    }
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, args.id);
      const deps = await openExport(app);
      const signal = this.stopSignal();
      const progress = createProgress("export");
      const act = {
        action: "tenants.export",
        tenant_id: tenant.id,
        target: { type: "tenant", id: tenant.id },
        details: { to: flags.to },
        told: ({ counts, complete }: Told) => ({
          details: { counts },
          ...(!complete && { result: "cancelled" as const }),
        }),
      };
      const told = await this.audited(app, act, async (): Promise<Told> => {
        const counts: Record<string, number> = {};
        let written = 0;
        const target = await openExportTarget(flags.to);
        try {
          await target.write(exportStart(tenant, productVersion(), app.clock.nowMs()));
          for await (const line of exportTenant(deps, tenant, app.config.baseUrl)) {
            if (signal.aborted) return { tenant_id: tenant.id, complete: false, to: flags.to, counts };
            await target.write(line);
            counts[line.type] = (counts[line.type] ?? 0) + 1;
            written += 1;
            progress.at(written);
          }
          await target.write({ type: "end", data: counts });
        } finally {
          progress.end();
          await target.close();
        }
        return { tenant_id: tenant.id, complete: true, to: flags.to, counts };
      });
      const all = Object.entries(told.counts).map(([type, count]) => `${count} ${type}`);
      const line = told.complete
        ? `The tenant ${tenant.name} is exported: ${all.join(", ")}.`
        : "Interrupted: the export has no last line. Begin it anew.";
      if (!told.complete) process.exitCode = exitCodes.partly;
      if (flags.to === "-" || !told.complete) process.stderr.write(`${line}\n`);
      else this.log(line);
      return told;
    });
  }
}
