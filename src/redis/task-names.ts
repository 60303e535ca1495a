import type { Task } from "../domain/jobs/work.ts";

/** The one consumer group of all queue streams. */
export const consumerGroup = "workers";

/** A task's record as stream entries name it: without the partition's prefix. */
export function recordName(task: Pick<Task, "tenantId" | "kind" | "id">): string {
  return `${task.tenantId}:${task.kind}:${task.id}`;
}

/** What the records of a tenant's jobs begin with, as stream entries name them. */
export function jobRecords(tenantId: string): string {
  return `${tenantId}:job:`;
}
