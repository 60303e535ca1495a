import type { CreditsRefused } from "../credits/refusal.ts";
import type { IdempotencyClaim } from "../idempotency.ts";
import type { Failure, Task } from "../jobs/work.ts";
import type { Page, PageRequest } from "../page.ts";
import type { PassData } from "../passes/pass.ts";
import type { PassDataPatch, PassName } from "../passes/update.ts";

export const batchStatuses = ["queued", "processing", "completed", "cancelled"] as const;
export type BatchStatus = (typeof batchStatuses)[number];

export const mostActiveBatches = 10;
export const mostOperations = 10_000;
/** Of more errors than these, the ones with the lowest indexes are kept. */
export const mostErrors = 100;

export type BatchOperation =
  | { type: "create"; templateId: string; intent: string; externalRef: string; data: PassData }
  | { type: "update"; name: PassName; data: PassDataPatch }
  | { type: "revoke"; name: PassName };

/** How many passes they make, each of which takes a credit. */
export function creationsOf(operations: readonly BatchOperation[]): number {
  return operations.filter(({ type }) => type === "create").length;
}

export type BatchError = Failure & { index: number };

export type Batch = {
  id: string;
  tenantId: string;
  name: string | null;
  status: BatchStatus;
  total: number;
  succeeded: number;
  failed: number;
  /** Lowest indexes first. */
  errors: BatchError[];
  jobId: string;
  createdAtMs: number;
  startedAtMs: number | null;
  finishedAtMs: number | null;
};

export type BatchFilter = { status?: BatchStatus };

type Repeat = { outcome: "replayed"; response: string } | { outcome: "key_reused" };

export type BatchCreation = {
  batch: Batch;
  operations: readonly BatchOperation[];
  traceId: string;
  idempotency: IdempotencyClaim | null;
  response: string;
};

export type BatchStore = {
  create(creation: BatchCreation): Promise<{ outcome: "created" | "too_many" } | CreditsRefused | Repeat>;
  cancel(cancellation: {
    batch: Batch;
    idempotency: IdempotencyClaim | null;
    response: string;
    nowMs: number;
  }): Promise<{ outcome: "cancelled" | "not_found" | "invalid_state" } | Repeat>;
  find(tenantId: string, batchId: string): Promise<Batch | null>;
  /** Newest first. */
  list(tenantId: string, filter: BatchFilter, page: PageRequest): Promise<Page<Batch>>;
};

/** How a worker works a batch off. Every call is fenced by the task's lease. */
export type BatchWork = {
  /** The index of the next operation, or «lost». */
  start(task: Task, batchId: string): Promise<number | "lost">;
  operations(task: Task, batchId: string, from: number, count: number): Promise<BatchOperation[]>;
  /** Notes the outcomes of the operations from `from` on: null for a success. */
  advance(task: Task, batchId: string, from: number, outcomes: readonly (Failure | null)[]): Promise<boolean>;
  finish(task: Task, batchId: string, event: { id: string }): Promise<boolean>;
};
