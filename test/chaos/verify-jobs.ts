import { type DeadLetter, type Finding, get, inParallel } from "./finding.ts";
import { factOf } from "./receiver.ts";

/** Each accepted job has ended: completed, cancelled with its batch, or failed with a reason. */
export async function verifyJobs(finding: Finding, deadLetters: readonly DeadLetter[]): Promise<void> {
  const { ledger, problems, facts, jobs, ends } = finding;
  const buried = new Set(deadLetters.map(({ job_id }) => job_id));
  await inParallel(jobs, async (id) => {
    const job = await get(finding, `/api/v1/jobs/${id}`);
    if (job === null) return;
    const about = `${ledger.name}: the job ${id} (${job.type} of ${job.resource.id})`;
    // A message comes again by itself where its pass has not arrived in the wallet yet.
    if (job.type !== "message.send") ends.beganAgain += Math.max(job.attempts - 1, 0);
    switch (job.status) {
      case "completed":
        ends.completed += 1;
        facts.add(factOf("job.completed", { id }));
        return;
      case "failed":
        ends.failed += 1;
        facts.add(factOf("job.failed", { id }));
        if (job.error === null && !buried.has(id)) problems.push(`${about} failed without a reason`);
        return;
      case "cancelled":
        ends.cancelled += 1;
        return;
      default:
        problems.push(`${about} is lost: it is still ${job.status}`);
    }
  });
  for (const [id, { jobId, end }] of ledger.batches) {
    const batch = await get(finding, `/api/v1/batches/${id}`);
    if (batch !== null && batch.status !== end) {
      problems.push(
        `${ledger.name}: the batch ${id} (job ${jobId}) is ${batch.status}, and should be ${end}`,
      );
    }
  }
}
