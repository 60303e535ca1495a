import { carryReplay } from "../deadletters/carry-replay.ts";
import type { DeadLetterStore } from "../deadletters/dead-letter.ts";
import type { DriveDeps } from "../deadletters/drive-replay.ts";
import { planLetters } from "../deadletters/plan.ts";
import type { ReplayCount } from "../deadletters/replay-task.ts";
import { startReplay } from "../deadletters/start-replay.ts";
import { type ErrorCode, PasswrightError } from "../errors.ts";
import type { Ids } from "../ids.ts";
import { findJob } from "./find.ts";
import type { JobDetails, JobHistory } from "./history.ts";

type Deps = DriveDeps & {
  jobHistory: Pick<JobHistory, "details" | "hasten" | "bury">;
  deadLetters: DeadLetterStore;
  ids: Ids;
};

/** What was done for a job: the lanes that are tried at once, and what became of its dead letters. */
export type Retry = { hastened: string[]; replay: ({ taskId: string } & ReplayCount) | null };

export type RetriedJob = Retry & { details: JobDetails };

/**
 * What failed so leaves no dead letter, lest one tenant's expired certificate fill them. New credentials put it right, or
 * whatever was wrong at the wallet.
 */
const curable: readonly ErrorCode[] = ["provider_credentials_invalid", "provider_rejected"];

/**
 * Has a job tried again: what it put off at once, and what was given up, or refused by its wallet, by a replay of
 * its dead letters, as a task that others may go on with. Rejects with not_found, and with invalid_state where there is nothing to try, or another replay of
 * the tenant runs.
 */
export async function retryJob(
  deps: Deps,
  input: { tenantId: string; jobId: string; by: string; replayLimit: number | null; signal: AbortSignal },
): Promise<RetriedJob> {
  const { tenantId, jobId } = input;
  const before = await withLetters(deps, input);
  const letters = before.lanes.flatMap(({ deadLetterId }) => (deadLetterId === null ? [] : [deadLetterId]));
  const isPutOff = before.lanes.some(({ state }) => state === "retrying");
  const replay = letters.length > 0 ? await replayLetters(deps, { ...input, letters }) : null;
  const hastened = isPutOff ? await deps.jobHistory.hasten(tenantId, jobId) : [];
  if (replay === null && hastened.length === 0) {
    throw new PasswrightError("invalid_state", nothingToTry(await findJob(deps, input)));
  }
  return { hastened, replay, details: await findJob(deps, input) };
}

async function withLetters(deps: Deps, named: { tenantId: string; jobId: string }): Promise<JobDetails> {
  const found = await findJob(deps, named);
  const code = curable.find((known) => known === found.job.error?.code);
  if (found.job.status !== "failed" || code === undefined) return found;
  const buried = await deps.jobHistory.bury(named.tenantId, named.jobId, code);
  return buried > 0 ? findJob(deps, named) : found;
}

async function replayLetters(
  deps: Deps,
  input: { tenantId: string; letters: string[]; by: string; replayLimit: number | null; signal: AbortSignal },
): Promise<Retry["replay"]> {
  const { tenantId, letters, by, replayLimit, signal } = input;
  const filter = {
    ...{ tenantId, kind: null, endpoint: null, reason: null, after: null },
    ...{ sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER, limit: Number.POSITIVE_INFINITY },
    ids: letters,
  };
  const plan = await planLetters(deps, filter, replayLimit);
  // Somebody else was faster.
  if (plan.matched === 0) return null;
  const held = await startReplay(deps, { plan, rate: null, replayLimit, by });
  const task = await carryReplay(deps, held.task.id, { held, signal });
  return { taskId: task.id, ...task.count };
}

function nothingToTry({ job, lanes }: JobDetails): string {
  switch (job.status) {
    case "completed":
      return "The job is completed: there is nothing to try again.";
    case "cancelled":
      return "The job was cancelled before it began. Its batch can be sent again.";
    case "queued":
    case "running":
    case "retrying":
      // The status is what happened last to any lane; a lane that is due again does not change it.
      return lanes.some(({ state }) => state === "running")
        ? "A worker has the job in hand."
        : "The job waits for a worker already. Is a worker running?";
    case "failed":
      return `The job failed with ${job.error?.code ?? "an error"} and has no dead letter: that is an answer, which another try would get again, or its dead letter was purged. Remove the cause, and let the tenant send the operation again.`;
  }
}
