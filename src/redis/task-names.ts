import type { Task } from "../domain/jobs/work.ts";

/** The one consumer group of all queue streams. */
export const consumerGroup = "workers";

/** A task's record as stream entries name it: without the partition's prefix. */
export function recordName(task: Pick<Task, "tenantId" | "kind" | "id">): string {
  return `${task.tenantId}:${task.kind}:${task.id}`;
}

/** A task as the retry set names it: class, lane, record. */
export function retryMember(task: Task): string {
  return `${task.workClass} ${task.lane} ${recordName(task)}`;
}
