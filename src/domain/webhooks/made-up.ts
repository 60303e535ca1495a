import { batchResource } from "../batches/resource.ts";
import type { WebhookEventType } from "../events/event.ts";
import { jobResource } from "../jobs/resource.ts";
import { messageResource } from "../messages/resource.ts";
import type { PassStatus } from "../passes/pass.ts";
import { passResource } from "../passes/resource.ts";

/** The nil UUID (RFC 9562 section 5.9), which no resource ever has: so receivers can tell a test from an event. */
export const madeUpId = "00000000-0000-0000-0000-000000000000";

const text = "made up by passwright webhooks test";

/** A name that never resolves (RFC 6761 section 6.4). */
const nowhere = "https://passes.invalid";

/** A resource as an event of that type shows it, which does not exist: its ids are nil, its words say so. */
export function madeUpResource(type: WebhookEventType, tenantId: string, nowMs: number): object {
  switch (type) {
    case "pass.created":
      return pass("pending", tenantId, nowMs);
    case "pass.updated":
      return pass("updating", tenantId, nowMs);
    case "pass.revoked":
      return pass("revoking", tenantId, nowMs);
    case "message.sent":
      return messageResource({ ...message, tenantId, createdAtMs: nowMs }, 0);
    case "job.completed":
      return job("completed", tenantId, nowMs);
    case "job.failed":
      return job("failed", tenantId, nowMs);
    case "batch.completed":
      return batchResource({
        ...batch,
        tenantId,
        createdAtMs: nowMs,
        startedAtMs: nowMs,
        finishedAtMs: nowMs,
      });
  }
}

const message = {
  id: madeUpId,
  subject: { kind: "pass", id: madeUpId },
  header: text,
  body: text,
  status: "pending",
  jobId: madeUpId,
} as const;

const batch = {
  id: madeUpId,
  name: text,
  status: "completed" as const,
  total: 1,
  succeeded: 1,
  failed: 0,
  errors: [],
  jobId: madeUpId,
};

function pass(status: PassStatus, tenantId: string, nowMs: number): object {
  return passResource(
    {
      id: madeUpId,
      tenantId,
      templateId: madeUpId,
      templateVersion: 1,
      intent: "generic",
      externalRef: text,
      data: {},
      status,
      version: 1,
      versionJobId: madeUpId,
      versionAtMs: nowMs,
      revision: 1,
      providers: { google: { status: "queued", saveLink: null, error: null, updatedAtMs: nowMs } },
      jobId: madeUpId,
      message: null,
      pageToken: "made-up",
      authenticationToken: "",
      change: 0,
      modifiedAtMs: nowMs,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    },
    nowhere,
  );
}

function job(status: "completed" | "failed", tenantId: string, nowMs: number): object {
  return jobResource({
    id: madeUpId,
    tenantId,
    type: "pass.create",
    status,
    resource: { type: "pass", id: madeUpId },
    attempts: 1,
    progress: { done: status === "completed" ? 1 : 0, total: 1 },
    error: status === "completed" ? null : { code: "provider_rejected", description: text },
    warnings: [],
    traceId: "",
    createdAtMs: nowMs,
    startedAtMs: nowMs,
    finishedAtMs: nowMs,
  });
}
