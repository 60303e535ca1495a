import type { Test } from "tap";
import type { Reply } from "./requests.ts";
import { eventTypes, instant, passStatuses, traceId, uuid } from "./shapes.ts";

// What the interface says of each body, whole: a member too few, too many or of another kind is a failure.

type Json = ReturnType<typeof JSON.parse>;

/** An error object with its status and code, told apart by exactly the trace id of the answer's header. */
export function judgeError(t: Test, reply: Reply, status: number, error: string, what = ""): void {
  const name = `${what} ${status} ${error}`.trim();
  t.equal(reply.status, status, `${name}: ${reply.text.slice(0, 300)}`);
  t.equal(reply.json?.error, error, name);
  t.type(reply.json?.error_description, "string", name);
  t.match(reply.json?.trace_id, traceId, name);
  t.equal(reply.json?.trace_id, reply.headers["x-trace-id"], name);
}

/** A 400 that complains of exactly these members or parameters. */
export function judgeFaults(t: Test, reply: Reply, paths: readonly string[], what = ""): void {
  judgeError(t, reply, 400, "invalid_request", what);
  const details: Json[] = reply.json?.details ?? [];
  for (const detail of details) {
    t.strictSame(Object.keys(detail).sort(), ["message", "path"], what);
    t.type(detail.message, "string", what);
  }
  const named = [...new Set(details.map(({ path }) => path))].sort();
  t.strictSame(named, [...paths].sort(), `${what}: ${reply.text.slice(0, 300)}`);
}

/** A page of a list, and each thing on it. */
export function judgeList(t: Test, reply: Reply, judgeItem: (t: Test, item: Json) => void): void {
  t.equal(reply.status, 200, reply.text.slice(0, 300));
  judgeMembers(t, reply.json, ["data", "total", "page", "page_size"]);
  for (const name of ["total", "page", "page_size"]) t.ok(Number.isInteger(reply.json[name]), name);
  t.ok(reply.json.data.length <= reply.json.page_size);
  for (const item of reply.json.data) judgeItem(t, item);
}

export function judgeMembers(t: Test, value: Json, required: string[], optional: string[] = []): void {
  const present = Object.keys(value ?? {}).filter((name) => !optional.includes(name));
  t.strictSame(present.sort(), [...required].sort());
}

const passMembers = [
  ...["id", "status", "external_ref", "template_id", "intent", "data", "providers", "job_id", "version"],
  ...["page_url", "created_at", "updated_at"],
];

export function judgePass(t: Test, pass: Json): void {
  judgeMembers(t, pass, passMembers);
  t.match(pass, { id: uuid, job_id: uuid, template_id: uuid, created_at: instant, updated_at: instant });
  t.ok(passStatuses.includes(pass.status), pass.status);
  t.ok(Number.isInteger(pass.version) && pass.version >= 1);
  t.ok(URL.canParse(pass.page_url), pass.page_url);
  for (const value of Object.values(pass.data)) t.type(value, "string");
  t.ok(Object.keys(pass.providers).length > 0);
  for (const [key, provider] of Object.entries<Json>(pass.providers)) {
    t.ok(["apple", "google"].includes(key), key);
    judgeMembers(t, provider, ["status", "updated_at"], ["save_link", "error"]);
    t.match(provider.updated_at, instant);
    t.ok(["queued", "processing", "completed", "failed", "revoked"].includes(provider.status));
    if (provider.status === "completed") t.ok(URL.canParse(provider.save_link), provider.save_link);
    if (provider.error !== undefined) judgeMembers(t, provider.error, ["error", "error_description"]);
  }
}

export function judgeVersion(t: Test, version: Json): void {
  judgeMembers(t, version, ["version", "change", "data", "job_id", "created_at"]);
  t.match(version, { job_id: uuid, created_at: instant });
  t.ok(["created", "updated"].includes(version.change), version.change);
}

const jobTypes = ["pass.create", "pass.update", "pass.revoke", "message.send", "batch.process"];
const jobMembers = [
  ...["id", "type", "status", "resource", "attempts", "progress", "error"],
  ...["created_at", "started_at", "finished_at"],
];

export function judgeJob(t: Test, job: Json): void {
  // Beyond the documented members: what went otherwise than the caller may think.
  judgeMembers(t, job, jobMembers, ["warnings"]);
  t.match(job, { id: uuid, created_at: instant });
  t.ok(jobTypes.includes(job.type), job.type);
  judgeMembers(t, job.resource, ["type", "id"]);
  judgeMembers(t, job.progress, ["done", "total"]);
  t.ok(Number.isInteger(job.attempts));
  const isFinished = ["completed", "failed", "cancelled"].includes(job.status);
  t.ok(isFinished || ["queued", "running", "retrying"].includes(job.status), job.status);
  for (const name of ["started_at", "finished_at"]) t.ok(job[name] === null || instant.test(job[name]), name);
  t.equal(job.finished_at !== null, isFinished, "finished_at says whether it is finished");
  if (job.status === "failed") judgeMembers(t, job.error, ["error", "error_description"]);
  if (job.status === "completed") t.equal(job.error, null);
}

export function judgeMessage(t: Test, message: Json): void {
  const members = ["id", "header", "body", "status", "affected_passes", "job_id", "created_at"];
  judgeMembers(t, message, members, ["pass_id", "template_id"]);
  t.match(message, { id: uuid, job_id: uuid, created_at: instant });
  t.ok(["pending", "sent", "partial", "failed"].includes(message.status), message.status);
  t.ok(Number.isInteger(message.affected_passes));
}

const batchMembers = [
  ...["id", "name", "status", "total", "succeeded", "failed", "errors", "job_id"],
  ...["created_at", "started_at", "finished_at"],
];

export function judgeBatch(t: Test, batch: Json): void {
  judgeMembers(t, batch, batchMembers);
  t.match(batch, { id: uuid, job_id: uuid, created_at: instant });
  t.ok(["queued", "processing", "completed", "cancelled"].includes(batch.status), batch.status);
  for (const error of batch.errors) judgeMembers(t, error, ["index", "error", "error_description"]);
}

export function judgeWebhook(t: Test, webhook: Json): void {
  judgeMembers(t, webhook, ["id", "url", "events", "is_active", "secret_prefix", "created_at"]);
  t.match(webhook, { id: uuid, created_at: instant, is_active: Boolean });
  t.equal([...webhook.secret_prefix].length, 4);
  for (const type of webhook.events) t.ok(eventTypes.includes(type), type);
}

const deliveryMembers = [
  ...["id", "event_id", "event_type", "status", "attempts", "next_attempt_at", "created_at"],
];

export function judgeDelivery(t: Test, delivery: Json): void {
  judgeMembers(t, delivery, deliveryMembers);
  t.match(delivery, { id: uuid, event_id: uuid, created_at: instant });
  t.ok(eventTypes.includes(delivery.event_type), delivery.event_type);
  t.ok(["pending", "delivered", "retrying", "dead_lettered"].includes(delivery.status), delivery.status);
  t.ok(delivery.next_attempt_at === null || instant.test(delivery.next_attempt_at));
  let last = 0;
  for (const attempt of delivery.attempts) {
    judgeMembers(t, attempt, ["number", "at", "status_code", "duration_ms", "error"]);
    // An attempt that ended with its worker is counted, and nothing is known of it.
    t.ok(Number.isInteger(attempt.number) && attempt.number > last, "in order");
    last = attempt.number;
    t.match(attempt, { at: instant, duration_ms: Number });
    t.ok(attempt.status_code === null || Number.isInteger(attempt.status_code));
    t.ok(attempt.error === null || typeof attempt.error === "string");
  }
}

const analyticsTypes = [
  ...eventTypes,
  ...["pass.activated", "pass.failed", "pass.installed", "pass.uninstalled", "pass.viewed"],
];

export function judgeEvent(t: Test, event: Json): void {
  judgeMembers(t, event, ["id", "event_type", "pass_id", "template_id", "message_id", "occurred_at"]);
  t.match(event, { id: uuid, occurred_at: instant });
  t.ok(analyticsTypes.includes(event.event_type), event.event_type);
  for (const name of ["pass_id", "template_id", "message_id"]) {
    t.ok(event[name] === null || uuid.test(event[name]), name);
  }
}

export function judgePackage(t: Test, offer: Json): void {
  judgeMembers(t, offer, ["id", "name", "credits", "price"]);
  t.match(offer.id, /^[a-z0-9-]{1,64}$/);
  judgeMembers(t, offer.price, ["amount", "currency"]);
}

/** A 202 leads to its job. */
export function judgeAccepted(t: Test, reply: Reply): void {
  t.equal(reply.status, 202, reply.text.slice(0, 300));
  const path = new URL(reply.headers.location ?? "", "http://x").pathname;
  t.equal(path, `/api/v1/jobs/${reply.json?.job_id}`);
}
