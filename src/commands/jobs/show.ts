import { Args } from "@oclif/core";
import { openJobs } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { jobLines } from "../../cli/job-report.ts";
import { tenantFlag } from "../../cli/tenant-flag.ts";
import { findJob } from "../../domain/jobs/find.ts";
import { jobDetailResource } from "../../domain/jobs/resource.ts";
import { findTenant } from "../../domain/tenants/find.ts";

export default class JobsShow extends BaseCommand {
  static override summary = "Show a job: its parts, attempts, error, times and trace id.";
  static override description =
    "A part (lane) is a wallet, or main for a batch. A completed job has shed its lanes. The log has every attempt (job.attempted): look for the trace id.";
  static override examples = [
    "<%= config.bin %> jobs show 0199d1c9-5e6f-7b8c-9a00-2d3e4f5a6b7c --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> jobs show 0199d1c9-5e6f-7b8c-9a00-2d3e4f5a6b7c --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --json",
  ];
  static override args = { id: Args.string({ description: "the job's id", required: true }) };
  static override flags = { tenant: tenantFlag };

  async run() {
    const { args, flags } = await this.parse(JobsShow);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, flags.tenant);
      const details = await findJob(await openJobs(app), { tenantId: tenant.id, jobId: args.id });
      this.log(jobLines(details).join("\n"));
      return jobDetailResource(details);
    });
  }
}
