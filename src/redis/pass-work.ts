import type { Failure, Task } from "../domain/jobs/work.ts";
import type { PassWork } from "../domain/passes/pass.ts";
import { packEvent } from "./events.ts";
import { errorFields, linkFields } from "./pass-hash.ts";
import { historyRetentionSeconds } from "./retention.ts";
import type { StoreParts } from "./store.ts";
import { consumerGroup, jobRecords } from "./task-names.ts";

export function createPassWork({ keys, run }: StoreParts, deps: { nowMs(): number }): PassWork {
  const givingWay = (task: Task): string[] => [
    keys.queue(task.partition, task.workClass),
    keys.record(task.tenantId, "job", task.id),
    keys.pass(task.tenantId, task.record.resource_id ?? ""),
    ...laneKeys(task),
  ];
  const laneKeys = ({ tenantId, partition }: Task): string[] => [
    keys.jobs(tenantId),
    keys.queue(partition, "interactive"),
    keys.queue(partition, "bulk"),
  ];

  return {
    async settle(task, revision, outcome, event) {
      const { tenantId, record } = task;
      const passId = record.resource_id ?? "";
      const templateId = record.template ?? "";
      const nowMs = deps.nowMs();
      const failure: Failure | null = outcome.outcome === "failed" ? outcome.failure : null;
      const reply = await run(
        "settle-pass",
        [
          keys.queue(task.partition, task.workClass),
          keys.record(tenantId, "job", task.id),
          keys.pass(tenantId, passId),
          keys.passesByStatus(tenantId),
          keys.passesByTemplate(tenantId, templateId),
          keys.deadLetters(task.partition),
          keys.credits(tenantId),
          keys.events(tenantId),
          keys.eventsByType(tenantId, "pass.activated"),
          keys.eventsByType(tenantId, "pass.failed"),
          keys.eventCounts(tenantId, new Date(nowMs).toISOString().slice(0, 10)),
          ...laneKeys(task),
        ],
        [
          consumerGroup,
          task.lease,
          task.lane,
          revision,
          nowMs,
          outcome.outcome,
          failure === null ? "" : JSON.stringify(failure),
          outcome.outcome === "failed" && outcome.bury ? "1" : "",
          jobRecords(tenantId),
          failure?.code ?? "",
          passId,
          task.id,
          packEvent({ id: event.id, type: "pass.activated", passId, templateId }),
          packEvent({ id: event.id, type: "pass.failed", passId, templateId }),
          historyRetentionSeconds,
          keys.finishedJobs,
          ...("saveLink" in outcome && outcome.saveLink !== ""
            ? linkFields(task.lane, outcome.saveLink, outcome.testOnly)
            : []),
          ...(failure === null ? [] : errorFields(task.lane, failure)),
        ],
      );
      return reply === "settled";
    },

    async retryLater(task, failure, dueAtMs) {
      const reply = await run("retry-pass", givingWay(task), [
        ...[consumerGroup, task.lease, task.lane, dueAtMs, JSON.stringify(failure)],
        ...[jobRecords(task.tenantId), task.id, deps.nowMs(), historyRetentionSeconds, keys.finishedJobs],
      ]);
      return reply as "retry" | "overtaken" | "lost";
    },

    async lineUp(task, dueAtMs) {
      const reply = await run("line-up-pass", givingWay(task), [
        ...[consumerGroup, task.lease, task.lane, dueAtMs],
        ...[jobRecords(task.tenantId), task.id, deps.nowMs(), historyRetentionSeconds, keys.finishedJobs],
      ]);
      return reply as "in_line" | "overtaken" | "lost";
    },
  };
}
