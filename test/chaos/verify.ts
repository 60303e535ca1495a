import type { DeadLetter, Finding } from "./finding.ts";
import type { Installation } from "./installation.ts";
import type { Ledger } from "./ledger.ts";
import { factOf } from "./receiver.ts";
import { verifyCredits } from "./verify-credits.ts";
import { verifyEvents } from "./verify-events.ts";
import { verifyJobs } from "./verify-jobs.ts";
import { verifyPasses } from "./verify-passes.ts";

/** Compares all that a tenant was promised with what the API shows now that nothing goes on any more. */
export async function verifyTenant(
  installation: Installation,
  ledger: Ledger,
  deadLetters: readonly DeadLetter[],
): Promise<Finding> {
  const finding: Finding = {
    ledger,
    installation,
    problems: [],
    facts: new Set(),
    jobs: new Set(),
    ends: { completed: 0, failed: 0, cancelled: 0, beganAgain: 0 },
  };
  await verifyPasses(finding);
  for (const [id, { jobId }] of ledger.messages) {
    finding.facts.add(factOf("message.sent", { id }));
    finding.jobs.add(jobId);
  }
  for (const [id, { jobId, end }] of ledger.batches) {
    if (end === "completed") finding.facts.add(factOf("batch.completed", { id }));
    finding.jobs.add(jobId);
  }
  await verifyJobs(finding, deadLetters);
  await verifyCredits(finding);
  verifyEvents(finding, deadLetters);
  return finding;
}
