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
  webhooks: Pick<WebhookStore, "target">;
  deliveries: DeliveryStore;
  webhookSender: WebhookSender;
  webhookRetrySchedule: RetrySchedule;
  clock: Clock;
};

export type DeliveryReport = {
  outcome: "delivered" | "retrying" | "dead_lettered" | "lost";
  attempt: DeliveryAttempt;
};

/** Makes one attempt of a delivery and writes what became of it; or ends the delivery when it must not be sent any more. */
export async function deliverWebhook(deps: Deps, task: Task, signal: AbortSignal): Promise<DeliveryReport> {
  const startedAtMs = deps.clock.nowMs();
  const request = await prepare(deps, task, startedAtMs);
  if ("unsent" in request) return bury(deps, task, startedAtMs, request.unsent);
  const answer = await deps.webhookSender.post(request.url, request.headers, request.body, signal);
  const statusCode = "statusCode" in answer ? answer.statusCode : null;
  const delivered = statusCode !== null && statusCode >= 200 && statusCode < 300;
  const nowMs = deps.clock.nowMs();
  const attempt: DeliveryAttempt = {
    number: numberOf(task),
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

/** The schedule counts afresh when a delivery is sent again, its history does not. */
function numberOf(task: Task): number {
  return task.attempt + Number(task.record["send:earlier"] ?? 0);
}

type Prepared = { url: string; headers: Record<string, string>; body: string } | { unsent: Failure };

async function prepare(deps: Deps, task: Task, nowMs: number): Promise<Prepared> {
  // Before anything is read: a secret that cannot be opened interrupts every attempt, and this ends them.
  if (task.attempt > deps.webhookRetrySchedule.length) {
    return unsent("worker_lost", "every worker that tried this ended before it was done");
  }
  const { webhook: webhookId = "", event: eventId = "", type: eventType = "" } = task.record;
  const [target, body] = await Promise.all([
    deps.webhooks.target(task.tenantId, webhookId),
    deps.deliveries.body(task.tenantId, eventId),
  ]);
  if (target === null) return unsent("webhook_deleted", "the webhook was deleted");
  if (!target.isActive) return unsent("webhook_inactive", "the webhook is not active");
  if (body === null) return unsent("event_expired", "the event is older than its retention");
  const { url, secret } = target;
  return { url, body, headers: signatureHeaders({ deliveryId: task.id, eventType, body, secret, nowMs }) };
}

function unsent(code: string, why: string): { unsent: Failure } {
  return { unsent: { code, description: `not sent: ${why}` } };
}

/** The history shows the attempt that was due and not made, so that the tenant can see why there was none. */
async function bury(deps: Deps, task: Task, atMs: number, failure: Failure): Promise<DeliveryReport> {
  const attempt: DeliveryAttempt = {
    number: numberOf(task),
    atMs,
    statusCode: null,
    durationMs: 0,
    error: failure.description,
  };
  const held = await deps.deliveries.settle(task, attempt, { dueAtMs: null, failure });
  return { outcome: held ? "dead_lettered" : "lost", attempt };
}
