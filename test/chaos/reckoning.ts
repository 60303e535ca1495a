import type { DeadLetter, Finding } from "./finding.ts";
import type { Installation } from "./installation.ts";
import type { Ledger } from "./ledger.ts";
import { factOf, type Receiver } from "./receiver.ts";
import { verifyCredits } from "./verify-credits.ts";
import { verifyEvents } from "./verify-events.ts";
import { verifyJobs } from "./verify-jobs.ts";
import { verifyPasses } from "./verify-passes.ts";

export type Reckoning = {
  /** Everything that is wrong, in words. */
  problems: string[];
  ends: Finding["ends"];
  deliveries: { events: number; delivered: number; deadLetters: number; duplicates: number };
};

/** Compares what all tenants were promised with what is there. */
export async function reckon(
  installation: Installation,
  receiver: Receiver,
  ledgers: readonly Ledger[],
): Promise<Reckoning> {
  const deadLetters: DeadLetter[] = await installation.cli("deadletter", "export", "--all-tenants");
  const ends = { completed: 0, failed: 0, cancelled: 0, beganAgain: 0 };
  const problems: string[] = [];
  for (const ledger of ledgers) {
    const found = await verifyTenant(installation, ledger, deadLetters);
    problems.push(...found.problems);
    for (const name of Object.keys(ends) as (keyof typeof ends)[]) ends[name] += found.ends[name];
  }
  const { redis, serves, workers } = installation;
  problems.push(...receiver.complaints, ...[redis, ...serves, ...workers].flatMap((one) => one.ownEnds()));
  const all = receiver.hooks.flatMap((hook) => [...hook.deliveries.values()]);
  return {
    problems,
    ends,
    deliveries: {
      events: all.length,
      delivered: all.filter(({ taken }) => taken > 0).length,
      deadLetters: deadLetters.length,
      duplicates: all.reduce((sum, { taken }) => sum + Math.max(taken - 1, 0), 0),
    },
  };
}

/** Compares all that a tenant was promised with what the API shows now that nothing goes on any more. */
async function verifyTenant(
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
