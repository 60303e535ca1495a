import { idempotencyRetentionSeconds } from "../domain/idempotency.ts";
import type {
  Message,
  MessageFilter,
  MessageStatus,
  MessageStore,
  MessageSubject,
  MessageWork,
} from "../domain/messages/message.ts";
import type { Page } from "../domain/page.ts";
import { asUnavailable } from "./connection.ts";
import { packEvent } from "./events.ts";
import { packWarning } from "./jobs.ts";
import { newestFirst } from "./pages.ts";
import { historyRetentionSeconds } from "./retention.ts";
import type { StoreParts } from "./store.ts";
import { consumerGroup, recordName } from "./task-names.ts";

export function createMessageStore({ connection, keys, run }: StoreParts): MessageStore {
  const find = async (tenantId: string, messageId: string): Promise<Message | null> => {
    try {
      return fromHash(tenantId, messageId, await connection.hgetall(keys.message(tenantId, messageId)));
    } catch (error) {
      throw asUnavailable(error);
    }
  };
  const indexOf = (tenantId: string, { passId, templateId, status }: MessageFilter): string => {
    const index =
      passId !== undefined
        ? keys.messagesOf(tenantId, "pass", passId)
        : templateId !== undefined
          ? keys.messagesOf(tenantId, "template", templateId)
          : keys.messages(tenantId);
    return status === undefined ? index : `${index}:status:${status}`;
  };

  return {
    find,

    async create({ message, wallets, traceId, idempotency, response, event }) {
      const { tenantId, subject } = message;
      const partition = keys.partitionOf(tenantId);
      const workClass = subject.kind === "pass" ? ("interactive" as const) : ("bulk" as const);
      const messageFields = [
        ...["kind", subject.kind, "subject", subject.id, "header", message.header, "body", message.body],
        ...["job", message.jobId, "created_at", message.createdAtMs],
      ];
      const jobFields = [
        ...["type", "message.send", "status", "queued", "class", workClass],
        ...["resource_type", "message", "resource_id", message.id, subject.kind, subject.id],
        ...["total", wallets.length, "done", 0, "trace", traceId, "created_at", message.createdAtMs],
      ];
      const packed = packEvent({
        id: event.id,
        type: "message.sent",
        messageId: message.id,
        ...(subject.kind === "pass" ? { passId: subject.id } : { templateId: subject.id }),
      });
      const messageKey = keys.message(tenantId, message.id);
      const reply = (await run(
        "create-message",
        [
          keys.idempotency(tenantId, idempotency?.scope ?? ""),
          messageKey,
          keys.messages(tenantId),
          keys.messagesOf(tenantId, subject.kind, subject.id),
          subject.kind === "pass" ? keys.pass(tenantId, subject.id) : messageKey,
          keys.record(tenantId, "job", message.jobId),
          keys.queue(partition, workClass),
          ...keys.recordedEvents(tenantId, "message.sent", message.createdAtMs),
          keys.webhooksByType(tenantId, "message.sent"),
          keys.event(tenantId, event.id),
          keys.outbox(partition),
        ],
        [
          idempotency?.fingerprint ?? "",
          response,
          idempotencyRetentionSeconds,
          message.id,
          message.createdAtMs,
          wallets.join(" "),
          recordName({ tenantId, kind: "job", id: message.jobId }),
          packed,
          event.id,
          event.webhookBody,
          historyRetentionSeconds,
          tenantId,
          subject.kind === "pass" ? "1" : "",
          messageFields.length,
          ...messageFields,
          ...jobFields,
        ],
      )) as ["created" | "key_reused" | "invalid_state" | "replayed", string];
      return reply[0] === "replayed" ? { outcome: "replayed", response: reply[1] } : { outcome: reply[0] };
    },

    async list(tenantId, filter, page): Promise<Page<Message>> {
      // A message is to a pass or to a template, never to both.
      if (filter.passId !== undefined && filter.templateId !== undefined) return { items: [], total: 0 };
      const { items, total } = await newestFirst(connection, indexOf(tenantId, filter), page);
      const messages = await Promise.all(items.map((id) => find(tenantId, id)));
      return { items: messages.filter((message) => message !== null), total };
    },

    async reach(tenantId, templateId) {
      try {
        return await connection.zcard(keys.passesByTemplate(tenantId, templateId));
      } catch (error) {
        throw asUnavailable(error);
      }
    },
  };
}

export function createMessageWork({ keys, run }: StoreParts, deps: { nowMs(): number }): MessageWork {
  return {
    async settle(task, outcome) {
      const { tenantId, partition, record } = task;
      const messageId = record.resource_id ?? "";
      const subject = subjectOf(record);
      const failure = outcome.outcome === "failed" ? outcome.failure : null;
      const reply = await run(
        "settle-message",
        [
          keys.queue(partition, task.workClass),
          keys.record(tenantId, "job", task.id),
          keys.message(tenantId, messageId),
          keys.messages(tenantId),
          keys.messagesOf(tenantId, subject.kind, subject.id),
          keys.deadLetters(partition),
        ],
        [
          consumerGroup,
          task.lease,
          task.lane,
          outcome.outcome,
          failure === null ? "" : JSON.stringify(failure),
          outcome.outcome === "failed" && outcome.bury ? "1" : "",
          recordName(task),
          failure?.code ?? "",
          messageId,
          task.id,
          deps.nowMs(),
          historyRetentionSeconds,
          keys.finishedJobs,
          "warning" in outcome ? packWarning(outcome.warning.code) : "",
        ],
      );
      return reply === "settled";
    },

    async spread(task, count, told) {
      const { tenantId, record } = task;
      const messageId = record.resource_id ?? "";
      const subject = subjectOf(record);
      const reply = await run(
        "spread-message",
        [
          keys.record(tenantId, "job", task.id),
          keys.passesByTemplate(tenantId, subject.id),
          keys.pass(tenantId, ""),
        ],
        [
          ...[
            task.lease,
            task.lane,
            count,
            deps.nowMs(),
            subject.kind === "pass" ? subject.id : "",
            messageId,
          ],
          told ?? "",
        ],
      );
      const [outcome = "lost", cursor = "", ...touched] = reply as string[];
      if (outcome !== "more" && outcome !== "done") return { outcome: "lost" };
      const passes = touched.flatMap((passId, index) =>
        index % 2 === 0 ? [{ passId, change: Number(touched[index + 1]) }] : [],
      );
      return { outcome, passes, cursor };
    },
  };
}

/** A message's job names its subject by a field of the subject's kind. */
function subjectOf(record: Readonly<Record<string, string>>): MessageSubject {
  return record.pass === undefined
    ? { kind: "template", id: record.template ?? "" }
    : { kind: "pass", id: record.pass };
}

function fromHash(tenantId: string, id: string, hash: Record<string, string>): Message | null {
  if (hash.kind === undefined) return null;
  return {
    id,
    tenantId,
    subject: { kind: hash.kind as MessageSubject["kind"], id: hash.subject ?? "" },
    header: hash.header ?? "",
    body: hash.body ?? "",
    status: hash.status as MessageStatus,
    jobId: hash.job ?? "",
    createdAtMs: Number(hash.created_at),
  };
}
