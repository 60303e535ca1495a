import { PasswrightError } from "../errors.ts";
import type { IdempotencyClaim } from "../idempotency.ts";
import type { Failure, Task } from "../jobs/work.ts";
import type { Log } from "../log.ts";
import type { ChangeRequest } from "../passes/change.ts";
import { type CreatePassDeps, createPass } from "../passes/create.ts";
import { revokePass } from "../passes/revoke.ts";
import { updatePass } from "../passes/update.ts";
import type { RetrySchedule } from "../retry.ts";
import type { BatchOperation, BatchWork } from "./batch.ts";

type Deps = CreatePassDeps & { batchWork: BatchWork; jobRetrySchedule: RetrySchedule; log: Log };

/** Operations of one step: what a crash makes a worker look at again. */
const stepSize = 100;
/** Passes of one step that are worked on at a time, so that a batch leaves room for others. */
const width = 4;

/**
 * Works a batch off from where it stands: operations of one pass in their order, and whatever one comes to, the next is
 * carried out. Each operation is carried out under an idempotency key of its own, so a step that is repeated after a
 * crash changes nothing twice. Rejects when the store is away or `signal` ends the attempt.
 */
export async function processBatch(deps: Deps, task: Task, signal: AbortSignal) {
  const batchId = task.record.resource_id ?? "";
  const begun = await deps.batchWork.start(task, batchId);
  let next = begun;
  while (next !== "lost") {
    signal.throwIfAborted();
    const operations = await deps.batchWork.operations(task, batchId, next, stepSize);
    if (operations.length === 0) {
      const finished = await deps.batchWork.finish(task, batchId, { id: deps.ids.uuid() });
      return { outcome: finished ? "completed" : "lost", operations: next };
    }
    const step = { batchId, from: next, operations, signal };
    // What no worker survived is given up where it was begun first; what comes behind it gets its own attempts.
    const givenUp = next === begun && task.attempt > deps.jobRetrySchedule.length;
    const outcomes = givenUp ? await giveUp(deps, task, step) : await carryOut(deps, task, step);
    const held = await deps.batchWork.advance(task, batchId, next, outcomes);
    next = held ? next + operations.length : "lost";
  }
  return { outcome: "lost" };
}

type Step = { batchId: string; from: number; operations: readonly BatchOperation[]; signal: AbortSignal };

async function carryOut(deps: Deps, task: Task, step: Step): Promise<(Failure | null)[]> {
  const names = await Promise.all(step.operations.map((operation) => passOf(deps, task.tenantId, operation)));
  const outcomes: (Failure | null)[] = step.operations.map(() => null);
  const rows = [...Map.groupBy(names.keys(), (i) => names[i]).values()];
  const faults: unknown[] = [];
  const workRows = async (): Promise<void> => {
    for (let row = rows.shift(); row !== undefined; row = rows.shift()) {
      for (const i of row) {
        // Whoever comes next begins the step anew: nothing of it goes on once this attempt has ended.
        if (faults.length > 0) return;
        step.signal.throwIfAborted();
        outcomes[i] = await attempt(deps, task, step, i);
      }
    }
  };
  const ends = Array.from({ length: width }, () => workRows().catch((fault) => faults.push(fault)));
  await Promise.all(ends);
  if (faults.length > 0) throw faults[0];
  return outcomes;
}

/** The outcomes of a step that every worker died over: what one of them had done before stays done. */
function giveUp(deps: Deps, task: Task, step: Step): Promise<(Failure | null)[]> {
  return Promise.all(
    step.operations.map(async (operation, i) => {
      const done = await deps.idempotency.recall(task.tenantId, claimOf(step, i, operation));
      if (done !== null) return null;
      return { code: "worker_lost", description: "Every worker that tried this ended before it was done." };
    }),
  );
}

/** An operation's own idempotency key. */
function claimOf(step: Step, i: number, operation: BatchOperation): IdempotencyClaim {
  return { scope: `batch:${step.batchId}:${step.from + i}`, fingerprint: operation.type, brief: true };
}

/** What must stay in order: operations of one pass, named by its id or by its reference. */
async function passOf(deps: Deps, tenantId: string, operation: BatchOperation): Promise<string> {
  if (operation.type === "create") return operation.externalRef;
  if ("externalRef" in operation.name) return operation.name.externalRef;
  const pass = await deps.passes.find(tenantId, operation.name.passId);
  return pass?.externalRef ?? operation.name.passId;
}

async function attempt(deps: Deps, task: Task, step: Step, i: number): Promise<Failure | null> {
  const operation = step.operations[i];
  if (operation === undefined) return null;
  const request: ChangeRequest = {
    tenantId: task.tenantId,
    traceId: task.record.trace ?? "",
    workClass: "bulk",
    idempotency: claimOf(step, i, operation),
  };
  try {
    await carryOutOne(deps, request, operation, step.batchId);
    return null;
  } catch (error) {
    if (error instanceof PasswrightError) {
      if (error.kind === "unavailable") throw error;
      return { code: error.code, description: error.detail };
    }
    deps.log.error({ batch: step.batchId, operation: step.from + i, err: error }, "batch.operation_failed");
    return { code: "internal_error", description: "Something went wrong on our side with this operation." };
  }
}

async function carryOutOne(
  deps: Deps,
  request: ChangeRequest,
  operation: BatchOperation,
  batchId: string,
): Promise<void> {
  switch (operation.type) {
    case "create":
      await createPass(deps, { ...request, ...operation, reservedBy: batchId });
      return;
    case "update":
      await updatePass(deps, { ...request, name: operation.name, data: operation.data });
      return;
    case "revoke":
      await revokePass(deps, { ...request, name: operation.name });
  }
}
