import { Args, Flags } from "@oclif/core";
import { openJobs, openReplays } from "../../app.ts";
import { BaseCommand, exitCodes } from "../../cli/base-command.ts";
import { jobLines } from "../../cli/job-report.ts";
import { operatorOf } from "../../cli/operator.ts";
import { tenantFlag } from "../../cli/tenant-flag.ts";
import { jobDetailResource } from "../../domain/jobs/resource.ts";
import { type RetriedJob, type Retry, retryJob } from "../../domain/jobs/retry.ts";
import { findTenant } from "../../domain/tenants/find.ts";

const remedies: Partial<Record<string, string>> = {
  replay_limit: "It died again each time: find out why, then give --beyond-limit.",
  insufficient_credits: "`passwright tenants credits` adds some.",
  contract_cap_reached: "The contract has room again next month.",
};

export default class JobsRetry extends BaseCommand {
  static override summary = "Have a job tried again at once.";
  static override description =
    "What waits for its next attempt is tried now, and counts as that attempt. What was given up is replayed from its dead letters, as `deadletter replay` does it: with a fresh count of attempts. Where the pass has been changed since, there is nothing left to do, and the job ends. Refused (1) for a job that is completed, cancelled, queued or in a worker's hands, and for one that failed for good otherwise: that was an answer, and would be one again. What a wallet refused is tried again: the cause may be mended by now. Exits 3 when only some of it could be retried, and 1 when none.";
  static override examples = [
    "<%= config.bin %> jobs retry 0199d1c9-5e6f-7b8c-9a00-2d3e4f5a6b7c --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> jobs retry 0199d1c9-5e6f-7b8c-9a00-2d3e4f5a6b7c --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --beyond-limit --json",
  ];
  static override args = { id: Args.string({ description: "the job's id", required: true }) };
  static override flags = {
    tenant: tenantFlag,
    "beyond-limit": Flags.boolean({
      description: "also what was replayed as often as PASSWRIGHT_DEADLETTER_REPLAY_LIMIT allows",
    }),
  };

  async run() {
    const { args, flags } = await this.parse(JobsRetry);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, flags.tenant);
      const deps = { ...app, ...(await openJobs(app)), ...(await openReplays(app)) };
      const signal = this.stopSignal();
      const act = {
        action: "jobs.retry",
        tenant_id: tenant.id,
        target: { type: "job", id: args.id },
        told: (retry: RetriedJob) => ({ details: retryResource(retry) }),
      };
      const { details, ...retry } = await this.audited(app, act, () =>
        retryJob(deps, {
          tenantId: tenant.id,
          jobId: args.id,
          by: operatorOf(app.config),
          replayLimit: flags["beyond-limit"] ? null : app.config.deadLetterReplayLimit,
          signal,
        }),
      );
      this.log(jobLines(details).join("\n"));
      for (const { id, reason } of retry.replay?.refused_ids ?? []) {
        const remedy = remedies[reason] ?? `\`passwright deadletter show ${id}\` tells more.`;
        process.stderr.write(`The dead letter ${id} stays (${reason}). ${remedy}\n`);
      }
      process.exitCode = exitCodeOf(retry);
      return { ...jobDetailResource(details), retry: retryResource(retry) };
    });
  }
}

function retryResource({ hastened, replay }: Retry) {
  return {
    hastened,
    replay: replay && {
      task_id: replay.taskId,
      replayed: replay.replayed,
      overtaken: replay.overtaken,
      already_gone: replay.already_gone,
      refused: replay.refused,
    },
  };
}

function exitCodeOf({ hastened, replay }: Retry): number {
  if (replay === null || Object.keys(replay.refused).length === 0) return exitCodes.done;
  const settled = hastened.length + replay.replayed + replay.overtaken;
  return settled > 0 ? exitCodes.partly : exitCodes.failed;
}
