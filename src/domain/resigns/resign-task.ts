import type { AuditEntry } from "../audit/entry.ts";
import { isoInstant } from "../clock.ts";
import { PasswrightError } from "../errors.ts";
import type { Held, TaskHolds } from "../operator-tasks/held-task.ts";

/** How far a task has come. */
export type ResignCount = {
  /** Passes that it has gone past, on a phone or not. */
  looked_at: number;
  /** Of these, those that phones are to fetch again. */
  renewed: number;
  /** The phones that have them, when that was. */
  devices: number;
  /** Passes of which some phone could not be told; it fetches them when it next asks by itself. */
  untold: number;
};

/**
 * All passes of a tenant that are on phones are fetched again, so that they bear the signature of the present certificate. A
 * pass file is signed when it is fetched: nothing is signed here, no pass gets a new version.
 */
export type ResignTask = {
  id: string;
  tenantId: string;
  /** Passes a second that are on phones, at most; null: as fast as it goes. */
  rate: number | null;
  requestedBy: string;
  /** Passes that the tenant had when it began. Later ones are signed with the present certificate anyway. */
  passes: number;
  status: "running" | "completed" | "cancelled" | "failed";
  createdAtMs: number;
  finishedAtMs: number | null;
  cancelledBy: string | null;
  /** The worker that does it, HOST:PID; null while nobody does. */
  heldBy: string | null;
  /** What it waits for, or why it failed; null where it gets on. */
  trouble: string | null;
  count: ResignCount;
};

export type HeldResign = Held<ResignTask>;

/** A pass that phones are to fetch again, with the number of that change. */
export type RenewedPass = { passId: string; change: number };

export type ResignStep =
  | { outcome: "more"; cursor: string; passes: RenewedPass[] }
  /** There are no more passes. */
  | { outcome: "done" }
  | { outcome: "lost" };

export type PassSurvey = { passes: number; inWallet: number; devices: number };

export type ResignTaskStore = TaskHolds<ResignTask> & {
  /** Writes a task down for the workers, with its record; or answers the id of one of the tenant's that still runs. */
  start(
    task: Pick<ResignTask, "id" | "tenantId" | "rate" | "requestedBy" | "passes">,
    record: AuditEntry,
  ): Promise<{ task: ResignTask } | { busy: string }>;
  find(id: string): Promise<ResignTask | null>;
  /** The tenant's newest, among the last thousand of all tenants. */
  latest(tenantId: string): Promise<ResignTask | null>;
  /** Takes it from whoever holds it, to end it. Null where it has ended. */
  cancel(id: string, by: string, record: AuditEntry): Promise<HeldResign | null>;
  /** Shuts earlier holders out. False: it was lost. */
  open(held: HeldResign): Promise<boolean>;
  /**
   * Marks the next passes that are on phones, `most` of them, as changed, and counts them in the same step. The same passes come
   * again, unmarked, until the phones of all up to `told` have been told; `untold` of them could not be.
   */
  step(
    held: HeldResign,
    step: { most: number; told: { cursor: string; untold: number } | null },
  ): Promise<ResignStep>;
  count(task: ResignTask): Promise<ResignCount>;
  /** Writes down what it waits for; null: nothing. */
  note(held: HeldResign, trouble: string | null): Promise<void>;
  /** False: it was lost. */
  finish(
    held: HeldResign,
    end: { status: Exclude<ResignTask["status"], "running">; count: ResignCount; trouble: string | null },
    record: AuditEntry,
  ): Promise<boolean>;
  /** How many passes the tenant has. */
  passes(tenantId: string): Promise<number>;
  /** Goes through all passes of a tenant and changes nothing. `onProgress` is told how many it has seen. */
  survey(tenantId: string, onProgress?: (seen: number) => void): Promise<PassSurvey>;
};

export function noSuchResign(tenantId: string): PasswrightError {
  return new PasswrightError(
    "not_found",
    `No passes of the tenant ${tenantId} were signed anew in the last 30 days. \`passwright providers resign --tenant ${tenantId}\` does that.`,
  );
}

/** As the command shows it. A running one that nobody holds is interrupted: a worker will take it. */
export function resignTaskResource(task: ResignTask, nowMs: number) {
  const remaining = Math.max(0, task.passes - task.count.looked_at);
  const seconds = Math.max(0, (task.finishedAtMs ?? nowMs) - task.createdAtMs) / 1000;
  const perSecond = seconds > 0 ? task.count.looked_at / seconds : 0;
  const isRunning = task.status === "running";
  return {
    id: task.id,
    tenant_id: task.tenantId,
    status: isRunning && task.heldBy === null ? "interrupted" : task.status,
    rate: task.rate,
    passes: task.passes,
    ...task.count,
    remaining: isRunning ? remaining : null,
    eta_seconds: isRunning && perSecond > 0 ? Math.ceil(remaining / perSecond) : null,
    trouble: task.trouble,
    requested_by: task.requestedBy,
    cancelled_by: task.cancelledBy,
    held_by: task.heldBy,
    created_at: isoInstant(task.createdAtMs),
    finished_at: task.finishedAtMs === null ? null : isoInstant(task.finishedAtMs),
  };
}

/** A record of the audit log about a task. */
export function resignRecord(
  task: Pick<ResignTask, "id" | "tenantId">,
  said: Pick<AuditEntry, "who" | "result" | "details">,
): AuditEntry {
  return {
    action: "providers.resign",
    tenant_id: task.tenantId,
    target: { type: "resign", id: task.id },
    ...said,
  };
}
