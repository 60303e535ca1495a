import { idempotencyRetentionSeconds } from "../domain/idempotency.ts";
import type { Pass, PassChange, PassCreation, PassVersion, PassWarnings } from "../domain/passes/pass.ts";
import { packEvent } from "./events.ts";
import { packWarning } from "./jobs.ts";
import { packIds } from "./packed-ids.ts";
import { changedFields, createdFields } from "./pass-hash.ts";
import { historyRetentionSeconds } from "./retention.ts";
import type { ScriptArgument } from "./script.ts";
import type { StoreParts } from "./store.ts";
import { jobRecords, recordName } from "./task-names.ts";
import { monthOf } from "./tenants.ts";

// Keys and arguments of the two scripts by which operations on passes are accepted, in the order of their headers.

/** The version that a pass is on. */
export function presentVersion(pass: Pass): PassVersion {
  return {
    version: pass.version,
    change: pass.version === 1 ? "created" : "updated",
    data: pass.data,
    jobId: pass.versionJobId,
    createdAtMs: pass.versionAtMs,
  };
}

export function creationKeys({ keys }: StoreParts, creation: PassCreation): string[] {
  const { pass, event, idempotency } = creation;
  const { tenantId } = pass;
  const partition = keys.partitionOf(tenantId);
  const credits = keys.credits(tenantId);
  return [
    keys.idempotency(tenantId, idempotency?.scope ?? ""),
    keys.passRefs(tenantId),
    credits,
    keys.pass(tenantId, pass.id),
    keys.passes(tenantId),
    keys.passesByStatus(tenantId),
    keys.page(pass.pageToken),
    keys.record(tenantId, "job", pass.jobId),
    keys.queue(partition, creation.workClass),
    ...keys.recordedEvents(tenantId, "pass.created", pass.createdAtMs),
    keys.webhooksByType(tenantId, "pass.created"),
    keys.event(tenantId, event.id),
    keys.outbox(partition),
    creation.reservedBy === null ? credits : keys.batch(tenantId, creation.reservedBy),
  ];
}

export function creationArguments(creation: PassCreation): ScriptArgument[] {
  const { pass, event, idempotency } = creation;
  const wallets = Object.keys(pass.providers);
  const passFields = createdFields(pass, creation.fingerprint);
  return [
    idempotency?.fingerprint ?? "",
    creation.response,
    idempotencyRetentionSeconds,
    pass.externalRef,
    pass.id,
    creation.fingerprint,
    pass.tenantId,
    pass.createdAtMs,
    monthOf(pass.createdAtMs),
    wallets.join(" "),
    recordName({ tenantId: pass.tenantId, kind: "job", id: pass.jobId }),
    packEvent({ id: event.id, type: "pass.created", passId: pass.id, templateId: pass.templateId }),
    event.id,
    event.webhookBody,
    historyRetentionSeconds,
    pass.jobId,
    creation.reservedBy === null ? "" : "1",
    packIds(pass.tenantId, pass.id),
    passFields.length,
    ...passFields,
    ...jobFields(creation, pass, "pass.create"),
  ];
}

export function changeKeys(
  { keys }: StoreParts,
  { before, after, event, idempotency }: PassChange,
): string[] {
  const { tenantId } = after;
  const partition = keys.partitionOf(tenantId);
  return [
    keys.idempotency(tenantId, idempotency?.scope ?? ""),
    keys.pass(tenantId, after.id),
    keys.passVersions(tenantId, after.id),
    keys.passesByStatus(tenantId),
    keys.passesByTemplate(tenantId, after.templateId),
    keys.jobs(tenantId),
    keys.queue(partition, "interactive"),
    keys.queue(partition, "bulk"),
    ...keys.recordedEvents(tenantId, event.type, after.updatedAtMs),
    keys.webhooksByType(tenantId, event.type),
    keys.event(tenantId, event.id),
    keys.outbox(partition),
    keys.passesByTemplate(tenantId, before.templateId),
    keys.credits(tenantId),
  ];
}

export function changeArguments({ keys }: StoreParts, change: PassChange): ScriptArgument[] {
  const { before, after, event, idempotency, kind } = change;
  const passFields = changedFields(after);
  return [
    idempotency?.fingerprint ?? "",
    change.response,
    idempotencyRetentionSeconds,
    after.id,
    before.revision,
    kind,
    after.updatedAtMs,
    Object.keys(after.providers).join(" "),
    after.jobId,
    jobRecords(after.tenantId),
    kind === "update" ? JSON.stringify(presentVersion(before)) : "",
    event.type,
    packEvent({ id: event.id, type: event.type, passId: after.id, templateId: after.templateId }),
    event.id,
    event.webhookBody,
    historyRetentionSeconds,
    after.tenantId,
    historyRetentionSeconds,
    keys.finishedJobs,
    monthOf(after.updatedAtMs),
    passFields.length,
    ...passFields,
    ...jobFields(change, after, kind === "update" ? "pass.update" : "pass.revoke"),
    ...warningFields(change.warnings ?? {}),
  ];
}

function warningFields(warnings: PassWarnings): string[] {
  return Object.entries(warnings).flatMap(([wallet, code]) => [`${wallet}:warning`, packWarning(code)]);
}

function jobFields(
  accepted: Pick<PassCreation, "traceId" | "workClass">,
  pass: Pass,
  type: string,
): (string | number)[] {
  return [
    ...["type", type, "status", "queued", "class", accepted.workClass],
    ...["resource_type", "pass", "resource_id", pass.id, "template", pass.templateId],
    ...["revision", pass.revision, "total", Object.keys(pass.providers).length, "done", 0],
    ...["trace", accepted.traceId, "created_at", pass.updatedAtMs],
  ];
}
