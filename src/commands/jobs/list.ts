import { Flags } from "@oclif/core";
import { openJobs } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { jobTable } from "../../cli/job-report.ts";
import { boundedLimitFlag, tellIfMore } from "../../cli/list-limit.ts";
import { tenantFlag } from "../../cli/tenant-flag.ts";
import { jobStatuses, jobTypes } from "../../domain/jobs/job.ts";
import { listJobs, mostLookedAt } from "../../domain/jobs/list.ts";
import { jobResource } from "../../domain/jobs/resource.ts";
import { findTenant } from "../../domain/tenants/find.ts";

export default class JobsList extends BaseCommand {
  static override summary = "List a tenant's jobs, newest first.";
  static override description =
    "Those that were accepted in the last 30 days. With --status failed or cancelled: those that ended so in the last 30 days; with queued, running or retrying all there are, however old. Exits with 4 when there is none.";
  static override examples = [
    "<%= config.bin %> jobs list --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> jobs list --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --status failed --limit 20 --json",
    "<%= config.bin %> jobs list --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --status queued --type batch.process",
  ];
  static override flags = {
    tenant: tenantFlag,
    status: Flags.option({ description: "only those of this status", options: jobStatuses })(),
    type: Flags.option({ description: "only those of this type", options: jobTypes })(),
    limit: boundedLimitFlag,
  };

  async run() {
    const { flags } = await this.parse(JobsList);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, flags.tenant);
      const { jobs: found, isWhole } = await listJobs(await openJobs(app), {
        tenantId: tenant.id,
        status: flags.status ?? null,
        type: flags.type ?? null,
        limit: flags.limit + 1,
      });
      const jobs = found.slice(0, flags.limit);
      this.printList(jobs, jobTable, "No job matches.");
      tellIfMore(found, flags.limit);
      if (!isWhole) {
        process.stderr.write(
          `${mostLookedAt} jobs were looked at, and there may be more. Those that failed, were cancelled or are not finished are found by their --status without looking at others.\n`,
        );
      }
      return jobs.map(jobResource);
    });
  }
}
