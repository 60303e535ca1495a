import type { Clock } from "../clock.ts";
import type { Failure, Task } from "../jobs/work.ts";
import { nextAttemptAtMs, type RetrySchedule } from "../retry.ts";
import { signatureHeaders } from "./sign.ts";
import type { DeliveryAttempt, DeliveryStore, WebhookStore } from "./webhook.ts";

/** What came back from a receiver; `error` where nothing did. */
export type Answer = { statusCode: number; retryAfterSeconds: number | null } | { error: string };

/** Posts to a receiver, within the 30 seconds that it has. Rejects only when `signal` is aborted. */
export type WebhookSender = {
  post(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<Answer>;
};

type Deps = {
  webhooks: WebhookStore;
  deliveries: DeliveryStore;
  webhookSender: WebhookSender;
  webhookRetrySchedule: RetrySchedule;
  clock: Clock;
};

export type DeliveryReport = {
  outcome: "delivered" | "retrying" | "dead_lettered" | "lost";
  attempt: DeliveryAttempt;
};

/** Makes one attempt of a delivery and writes what became of it. */
export async function deliverWebhook(deps: Deps, task: Task, signal: AbortSignal): Promise<DeliveryReport> {
  const startedAtMs = deps.clock.nowMs();
  if (task.attempt > deps.webhookRetrySchedule.length) return buryLost(deps, task, startedAtMs);
  const answer = await post(deps, task, startedAtMs, signal);
  const statusCode = "statusCode" in answer ? answer.statusCode : null;
  const delivered = statusCode !== null && statusCode >= 200 && statusCode < 300;
  const nowMs = deps.clock.nowMs();
  const attempt: DeliveryAttempt = {
    number: task.attempt,
    atMs: startedAtMs,
    statusCode,
    durationMs: nowMs - startedAtMs,
    error: delivered ? null : "error" in answer ? answer.error : `answered ${statusCode}`,
  };
  if (delivered) {
    const held = await deps.deliveries.settle(task, attempt, { delivered: true });
    return { outcome: held ? "delivered" : "lost", attempt };
  }
  const failure: Failure = {
    code: statusCode === null ? "unreachable" : `http_${statusCode}`,
    description: attempt.error ?? "",
  };
  const asked = "statusCode" in answer ? answer.retryAfterSeconds : null;
  const dueAtMs = nextAttemptAtMs(deps.webhookRetrySchedule, task.attempt, {
    nowMs,
    random: Math.random(),
    ...(asked !== null && { askedSeconds: asked }),
  });
  const held = await deps.deliveries.settle(task, attempt, { dueAtMs, failure });
  if (!held) return { outcome: "lost", attempt };
  return { outcome: dueAtMs === null ? "dead_lettered" : "retrying", attempt };
}

/** Every worker that began an attempt ended before it was written down: a loop without this bound. */
async function buryLost(deps: Deps, task: Task, nowMs: number): Promise<DeliveryReport> {
  const description = "every worker that tried this ended before it was done";
  const attempt = { number: task.attempt, atMs: nowMs, statusCode: null, durationMs: 0, error: description };
  const failure: Failure = { code: "worker_lost", description };
  const held = await deps.deliveries.settle(task, attempt, { dueAtMs: null, failure });
  return { outcome: held ? "dead_lettered" : "lost", attempt };
}

async function post(deps: Deps, task: Task, nowMs: number, signal: AbortSignal): Promise<Answer> {
  const { webhook: webhookId = "", event: eventId = "", type: eventType = "" } = task.record;
  const [webhook, secret, body] = await Promise.all([
    deps.webhooks.find(task.tenantId, webhookId),
    deps.webhooks.secret(task.tenantId, webhookId),
    deps.deliveries.body(task.tenantId, eventId),
  ]);
  if (webhook === null || secret === null) return { error: "the webhook was deleted" };
  if (body === null) return { error: "the event is older than its retention" };
  const headers = signatureHeaders({ deliveryId: task.id, eventType, body, secret, nowMs });
  return deps.webhookSender.post(webhook.url, headers, body, signal);
}
