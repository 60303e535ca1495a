import type { AuditEntry } from "../audit/entry.ts";
import { isoInstant } from "../clock.ts";
import { PasswrightError } from "../errors.ts";
import type { Held, TaskHolds } from "../operator-tasks/held-task.ts";
import type { LetterPlan, LetterRange } from "./plan.ts";
import type { DeadLetterFilter } from "./select.ts";

/** What became of a task's letters so far. */
export type ReplayCount = {
  /** Back in the queue. */
  replayed: number;
  /** Passes that have moved on meanwhile: nothing was left to do. */
  overtaken: number;
  /** Somebody else dealt with them meanwhile. */
  already_gone: number;
  /** What could not be replayed, and stays a dead letter, by reason. */
  refused: Record<string, number>;
  /** The first of these. */
  refused_ids: { id: string; reason: string }[];
};

export const refusedShown = 100;

/** A replay as it is written down: who began it can end, and others go on where it was. */
export type ReplayTask = {
  id: string;
  /** Null for all tenants. */
  tenantId: string | null;
  filter: DeadLetterFilter;
  /** How many ids were named; null where none were. */
  named: number | null;
  ranges: LetterRange[];
  /** Letters a second, at most. */
  rate: number | null;
  /** A letter that was replayed so often already is refused; null: however often. */
  replayLimit: number | null;
  requestedBy: string;
  matched: number;
  status: "running" | "completed" | "cancelled";
  createdAtMs: number;
  startedAtMs: number;
  finishedAtMs: number | null;
  cancelledBy: string | null;
  /** The process that drives it, HOST:PID; null while nobody does. */
  heldBy: string | null;
  count: ReplayCount;
};

export type HeldReplay = Held<ReplayTask>;

export type ReplayTaskStore = TaskHolds<ReplayTask> & {
  /** Writes a task down, in the caller's hands and with its record; or answers the id of one whose letters may be the same. */
  start(
    task: Pick<ReplayTask, "id" | "tenantId" | "rate" | "replayLimit" | "requestedBy"> & { plan: LetterPlan },
    record: AuditEntry,
  ): Promise<{ held: HeldReplay } | { busy: string }>;
  find(id: string): Promise<ReplayTask | null>;
  /** The latest, newest first. */
  list(limit: number): Promise<ReplayTask[]>;
  /** Takes it from whoever holds it, to end it. Null where it has ended. */
  cancel(id: string, by: string, record: AuditEntry): Promise<HeldReplay | null>;
  /** Shuts earlier holders out, and answers how far they came. Null: it was lost. */
  open(
    held: HeldReplay,
  ): Promise<{ count: ReplayCount; cursors: string[]; ids: readonly string[] | null } | null>;
  count(task: ReplayTask): Promise<ReplayCount>;
  /** False: it was lost. */
  finish(
    held: HeldReplay,
    end: { status: "completed" | "cancelled"; count: ReplayCount },
    record: AuditEntry,
  ): Promise<boolean>;
};

export function noSuchReplay(id: string): PasswrightError {
  return new PasswrightError("not_found", `There is no replay task ${id}. They are kept for 30 days.`);
}

/** How many letters have been dealt with, one way or the other. */
export function dealtWith({ replayed, overtaken, already_gone: gone, refused }: ReplayCount): number {
  return Object.values(refused).reduce((sum, count) => sum + count, replayed + overtaken + gone);
}

/** What a replay was asked to do, as its task and its audit record say it. */
export function replayRequest(
  task: Pick<ReplayTask, "filter" | "named" | "rate" | "replayLimit" | "matched">,
) {
  return {
    filter: { ...filterResource(task.filter), ids: task.named },
    rate: task.rate,
    replay_limit: task.replayLimit,
    matched: task.matched,
  };
}

/** A filter as it was given; of ids only the caller knows how to speak. */
export function filterResource(filter: DeadLetterFilter) {
  return {
    tenant_id: filter.tenantId,
    kind: filter.kind,
    endpoint: filter.endpoint,
    reason: filter.reason,
    since: filter.sinceMs === 0 ? null : isoInstant(filter.sinceMs),
    until: filter.untilMs === Number.MAX_SAFE_INTEGER ? null : isoInstant(filter.untilMs),
    limit: Number.isFinite(filter.limit) ? filter.limit : null,
  };
}

/** A task as `deadletter task` shows it. A running one that nobody drives is interrupted: a worker will take it. */
export function replayTaskResource(task: ReplayTask, nowMs: number) {
  const instant = (ms: number | null) => (ms === null ? null : isoInstant(ms));
  const remaining = Math.max(0, task.matched - dealtWith(task.count));
  const seconds = Math.max(0, (task.finishedAtMs ?? nowMs) - task.startedAtMs) / 1000;
  const perSecond = seconds > 0 ? dealtWith(task.count) / seconds : null;
  const isRunning = task.status === "running";
  return {
    id: task.id,
    status: isRunning && task.heldBy === null ? "interrupted" : task.status,
    tenant_id: task.tenantId,
    ...replayRequest(task),
    ...task.count,
    remaining,
    per_second: perSecond === null ? null : Math.round(perSecond * 100) / 100,
    eta_seconds: isRunning && perSecond ? Math.ceil(remaining / perSecond) : null,
    requested_by: task.requestedBy,
    cancelled_by: task.cancelledBy,
    held_by: task.heldBy,
    created_at: isoInstant(task.createdAtMs),
    started_at: isoInstant(task.startedAtMs),
    finished_at: instant(task.finishedAtMs),
  };
}
