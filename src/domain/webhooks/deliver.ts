import type { Clock } from "../clock.ts";
import type { Concluded, Failure, Task } from "../jobs/work.ts";
import { persistently } from "../persistently.ts";
import { nextAttemptAtMs, type RetrySchedule } from "../retry.ts";
import { signatureHeaders } from "./sign.ts";
import type { DeliveryAttempt, DeliveryStore, DeliveryTarget, WebhookStore } from "./webhook.ts";

/** What came back from a receiver; `error` where nothing did. */
export type Answer = { statusCode: number; retryAfterSeconds: number | null } | { error: string };

/** Posts to a receiver, within the 30 seconds that it has. Rejects only when `signal` is aborted. */
export type WebhookSender = {
  post(
    url: string,
    headers: Record<string, string>,
    body: Uint8Array | string,
    signal: AbortSignal,
  ): Promise<Answer>;
};

type Deps = {
  webhooks: Pick<WebhookStore, "target">;
  deliveries: Pick<DeliveryStore, "body" | "settle" | "park" | "hold">;
  webhookSender: WebhookSender;
  webhookRetrySchedule: RetrySchedule;
  /** How long a delivery that cannot be sent for a reason of ours is kept before it becomes a dead letter. */
  webhookHoldLimitMs: number;
  clock: Clock;
};

/** `parked`: the endpoint's breaker is open; `held`: `err` of ours kept it from being sent. Neither was an attempt. */
export type DeliveryReport =
  | { outcome: "delivered" | "retrying" | "dead_lettered" | "lost"; attempt: DeliveryAttempt }
  | { outcome: "parked" | "lost" }
  | { outcome: "held"; reason: string; err: unknown };

/** How long a delivery is held before it is looked at again, ±20 %. */
const holdMs = 30_000;

/**
 * Makes one attempt of a delivery and writes what became of it; or ends the delivery when it must not be sent any more, or
 * lets it wait when it cannot be. Rejects only once `signal` is aborted.
 */
export async function deliverWebhook(
  deps: Deps,
  task: Task,
  signal: AbortSignal,
  concluded: Concluded = () => {},
): Promise<DeliveryReport> {
  const { deliveries, clock } = deps;
  const startedAtMs = clock.nowMs();
  const request = await prepare(deps, task, signal);
  if ("unsent" in request) return bury(deps, task, request.unsent, signal);
  if ("fault" in request) return hold(deps, task, request, signal);
  const { isOpen, hasFailures, reset } = request.breaker;
  if (isOpen && !isSentAtOnce(task)) {
    const answer = await persistently(() => deliveries.park(task, startedAtMs), signal);
    if (answer !== "send") return { outcome: answer };
  }
  let answer: Answer;
  try {
    answer = await deps.webhookSender.post(request.url, request.headers, request.body, signal);
  } catch (err) {
    if (signal.aborted) throw err;
    return hold(deps, task, { fault: "system_fault", err }, signal);
  }
  concluded();
  const statusCode = "statusCode" in answer ? answer.statusCode : null;
  const delivered = statusCode !== null && statusCode >= 200 && statusCode < 300;
  const nowMs = clock.nowMs();
  const attempt: DeliveryAttempt = {
    number: numberOf(task),
    atMs: startedAtMs,
    statusCode,
    durationMs: nowMs - startedAtMs,
    error: delivered ? null : "error" in answer ? answer.error : `answered ${statusCode}`,
  };
  if (delivered) {
    const next = { delivered: true } as const;
    const ended = hasFailures ? reset : undefined;
    const held = await persistently(() => deliveries.settle(task, attempt, next, ended), signal);
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
  const held = await persistently(
    () => deliveries.settle(task, attempt, { dueAtMs, failure }, reset),
    signal,
  );
  if (!held) return { outcome: "lost", attempt };
  return { outcome: dueAtMs === null ? "dead_lettered" : "retrying", attempt };
}

/** Whoever sends a delivery again by hand wants to know now, whatever the breaker says. */
function isSentAtOnce(task: Task): boolean {
  return task.attempt === 1 && task.record["send:at_once"] === "1";
}

/** The schedule counts afresh when a delivery is sent again, its history does not. */
function numberOf(task: Task): number {
  return task.attempt + Number(task.record["send:earlier"] ?? 0);
}

type Fault = { fault: "secret_unreadable" | "system_fault"; err: unknown };
type Prepared =
  | { url: string; headers: Record<string, string>; body: Uint8Array; breaker: DeliveryTarget["breaker"] }
  | { unsent: Failure }
  | Fault;

async function prepare(deps: Deps, task: Task, signal: AbortSignal): Promise<Prepared> {
  // Before anything is read: what makes every worker end must not be done again.
  if (task.attempt > deps.webhookRetrySchedule.length) {
    return unsent("worker_lost", "every worker that tried this ended before it was done");
  }
  const { webhook: webhookId = "", event: eventId = "", type: eventType = "" } = task.record;
  const [reading, bodyReading] = await Promise.allSettled([
    persistently(() => deps.webhooks.target(task.tenantId, webhookId), signal),
    persistently(() => deps.deliveries.body(task.tenantId, eventId), signal),
  ]);
  signal.throwIfAborted();
  // A row that was read and cannot be opened, whatever the reason: the wrong master key, or what is no longer whole.
  if (reading.status === "rejected") return { fault: "secret_unreadable", err: reading.reason };
  if (bodyReading.status === "rejected") return { fault: "system_fault", err: bodyReading.reason };
  const [target, body] = [reading.value, bodyReading.value];
  if (target === null) return unsent("webhook_deleted", "the webhook was deleted");
  if (!target.isActive) return unsent("webhook_inactive", "the webhook is not active");
  if (body === null) return unsent("event_expired", "the event is older than its retention");
  const { url, secret, breaker } = target;
  const nowMs = deps.clock.nowMs();
  try {
    const headers = signatureHeaders({ deliveryId: task.id, eventType, body, secret, nowMs });
    return { url, body, breaker, headers };
  } catch (err) {
    return { fault: "system_fault", err };
  }
}

function unsent(code: string, why: string): { unsent: Failure } {
  return { unsent: { code, description: `not sent: ${why}` } };
}

/** The history shows the attempt that was due and not made, so that the tenant can see why there was none. */
async function bury(deps: Deps, task: Task, failure: Failure, signal: AbortSignal): Promise<DeliveryReport> {
  const attempt: DeliveryAttempt = {
    number: numberOf(task),
    atMs: deps.clock.nowMs(),
    statusCode: null,
    durationMs: 0,
    error: failure.description,
  };
  const next = { dueAtMs: null, failure };
  const held = await persistently(() => deps.deliveries.settle(task, attempt, next), signal);
  return { outcome: held ? "dead_lettered" : "lost", attempt };
}

/** What is our fault costs the delivery no attempt and its endpoint no reputation; only when it lasts, it ends visibly. */
async function hold(
  deps: Deps,
  task: Task,
  { fault, err }: Fault,
  signal: AbortSignal,
): Promise<DeliveryReport> {
  const nowMs = deps.clock.nowMs();
  const dueAtMs = Math.round(nowMs + holdMs * (0.8 + 0.4 * Math.random()));
  const times = { nowMs, dueAtMs, limitMs: deps.webhookHoldLimitMs };
  const answer = await persistently(() => deps.deliveries.hold(task, times), signal);
  if (answer === "held") return { outcome: answer, reason: fault, err };
  if (answer === "lost") return { outcome: answer };
  const why =
    fault === "secret_unreadable"
      ? "the webhook's secret cannot be decrypted"
      : "the service could not make the request";
  return bury(deps, task, unsent(fault, why).unsent, signal);
}
