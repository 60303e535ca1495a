import { Args } from "@oclif/core";
import { openJobs } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { jobLines } from "../../cli/job-report.ts";
import { tenantFlag } from "../../cli/tenant-flag.ts";
import { cancelJob } from "../../domain/jobs/cancel.ts";
import { jobDetailResource } from "../../domain/jobs/resource.ts";
import { findTenant } from "../../domain/tenants/find.ts";

export default class JobsCancel extends BaseCommand {
  static override summary = "Take a batch's job back that no worker has begun.";
  static override description =
    "Its batch is cancelled, too, and the credits that it reserved go back to the tenant. Refused (1) once a worker has begun it, after its end, and for jobs of single passes and messages, which show already that they were accepted.";
  static override examples = [
    "<%= config.bin %> jobs cancel 0199d1c9-5e6f-7b8c-9a00-2d3e4f5a6b7c --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> jobs cancel 0199d1c9-5e6f-7b8c-9a00-2d3e4f5a6b7c --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --json",
  ];
  static override args = { id: Args.string({ description: "the job's id", required: true }) };
  static override flags = { tenant: tenantFlag };

  async run() {
    const { args, flags } = await this.parse(JobsCancel);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, flags.tenant);
      const act = {
        action: "jobs.cancel",
        tenant_id: tenant.id,
        target: { type: "job", id: args.id },
      };
      const jobs = await openJobs(app);
      const details = await this.audited(app, act, () =>
        cancelJob({ ...app, ...jobs }, { tenantId: tenant.id, jobId: args.id }),
      );
      this.log(jobLines(details).join("\n"));
      return jobDetailResource(details);
    });
  }
}
