import { createHash } from "node:crypto";
import type { EventType, WebhookEventType } from "../domain/events/event.ts";
import type { RecordKind, WorkClass } from "../domain/jobs/work.ts";
import type { WalletKey } from "../domain/templates/template.ts";
import { partitionOf } from "./partitions.ts";

/** So many tenants' places are kept as they were found. */
const mostHomes = 10_000;

/**
 * Every key that this service writes. docs/redis.md explains each, and a test compares.
 * What belongs to a tenant carries its partition's hash tag `{pNN}`: one slot of a cluster, so that one script can
 * change any of it together. System templates live under `{system}`.
 */
export function createKeys(options: { prefix: string; partitions: number }) {
  const { prefix, partitions } = options;
  const tag = (partition: number): string => `${prefix}:{p${String(partition).padStart(2, "0")}}`;
  const homes = new Map<string, { partition: number; tag: string }>();
  const homeOf = (id: string): { partition: number; tag: string } => {
    const known = homes.get(id);
    if (known !== undefined) return known;
    const partition = partitionOf(id, partitions);
    const found = { partition, tag: tag(partition) };
    // Of few tenants much is done at a time: those are back at once.
    if (homes.size >= mostHomes) homes.clear();
    homes.set(id, found);
    return found;
  };
  const home = (id: string): string => homeOf(id).tag;
  const tenant = (tenantId: string): string => `${home(tenantId)}:${tenantId}`;
  const owner = (tenantId: string | null): string =>
    tenantId === null ? `${prefix}:{system}` : tenant(tenantId);

  return {
    prefix,
    partitions,
    partitionOf: (id: string): number => homeOf(id).partition,
    allPartitions: Array.from({ length: partitions }, (_, partition) => partition),

    // The whole installation.
    meta: `${prefix}:meta`,
    signingKeys: `${prefix}:signing-keys`,
    tokenRate: (address: string): string => `${prefix}:rate:token:${address}`,
    deviceRate: (address: string): string => `${prefix}:rate:device:${address}`,
    /** Calls that an account makes at a wallet. */
    calls: (account: string): string => `${prefix}:rate:calls:${account}`,
    refusedCallbackRate: (address: string): string => `${prefix}:rate:refused-callback:${address}`,
    turn: (task: string): string => `${prefix}:turn:${task}`,
    finishedJobs: `${prefix}:finished-jobs`,
    workers: `${prefix}:workers`,
    workerTimes: (worker: string): string => `${prefix}:worker-times:${worker}`,
    confirmations: `${prefix}:confirmations`,
    packages: `${prefix}:packages`,
    plans: `${prefix}:plans`,

    // What operators do. One slot, so that a task and what is said of it change together.
    audit: `${prefix}:{operators}:audit`,
    /** Entries that a restore brings, until they are joined with those that are there. */
    restoredAudit: `${prefix}:{operators}:audit:restored`,
    replayTasks: `${prefix}:{operators}:replays`,
    activeReplayTasks: `${prefix}:{operators}:replays:active`,
    replayTask: (taskId: string): string => `${prefix}:{operators}:replay:${taskId}`,
    replayTaskIds: (taskId: string): string => `${prefix}:{operators}:replay:${taskId}:ids`,
    resignTasks: `${prefix}:{operators}:resigns`,
    activeResignTasks: `${prefix}:{operators}:resigns:active`,
    resignTask: (taskId: string): string => `${prefix}:{operators}:resign:${taskId}`,

    // A partition.
    partition: tag,
    /** How far a restore has come; null: with what is of no partition. */
    restore: (partition: number | null): string =>
      `${partition === null ? `${prefix}:{system}` : tag(partition)}:restore`,
    tenants: (partition: number): string => `${tag(partition)}:tenants`,
    /** What is in somebody's hands. What is ready, whose turn it is, what is put off, and the bell lie beside it. */
    queue: (partition: number, workClass: WorkClass): string => `${tag(partition)}:queue:${workClass}`,
    ready: (partition: number, workClass: WorkClass): string => `${tag(partition)}:queue:${workClass}:ready`,
    delayed: (partition: number, workClass: WorkClass): string =>
      `${tag(partition)}:queue:${workClass}:delayed`,
    turns: (partition: number, workClass: WorkClass): string => `${tag(partition)}:queue:${workClass}:turns`,
    bell: (partition: number, workClass: WorkClass): string => `${tag(partition)}:queue:${workClass}:bell`,
    openRecords: (partition: number): string => `${tag(partition)}:open`,
    reconciled: (partition: number): string => `${tag(partition)}:reconciled`,
    deadLetters: (partition: number): string => `${tag(partition)}:dead`,
    deadLettersByClass: (partition: number): string => `${tag(partition)}:dead:classes`,
    deadLettersByReason: (partition: number): string => `${tag(partition)}:dead:reasons`,
    deadLettersByTenant: (partition: number): string => `${tag(partition)}:dead:tenants`,
    /** What a replay task has done in a partition. */
    replayCount: (partition: number, taskId: string): string => `${tag(partition)}:replay:${taskId}`,
    /** How far the passes of a tenant in the partition have been signed anew. */
    resignCount: (partition: number, taskId: string): string => `${tag(partition)}:resign:${taskId}`,
    outbox: (partition: number): string => `${tag(partition)}:outbox`,
    requests: (partition: number, minute: number): string => `${tag(partition)}:requests:${minute}`,
    breakers: (partition: number): string => `${tag(partition)}:breakers`,
    /** Devices that registered soon after a change that they may not know of. */
    latecomers: (partition: number): string => `${tag(partition)}:latecomers`,
    /** Template versions that the wallets are to be told of. */
    published: (partition: number): string => `${tag(partition)}:published`,
    application: (applicationId: string): string => `${home(applicationId)}:application:${applicationId}`,
    page: (pageToken: string): string => `${home(pageToken)}:page:${pageToken}`,

    // A tenant.
    /** What all of its keys begin with. */
    ofTenant: tenant,
    tenant: (tenantId: string): string => `${tenant(tenantId)}:tenant`,
    credits: (tenantId: string): string => `${tenant(tenantId)}:credits`,
    /** Every movement of the credits; lua/parts/credits.lua says what is in it. */
    ledger: (tenantId: string): string => `${tenant(tenantId)}:credits:ledger`,
    paidSessions: (tenantId: string): string => `${tenant(tenantId)}:paid-sessions`,
    applications: (tenantId: string): string => `${tenant(tenantId)}:applications`,
    provider: (tenantId: string, wallet: WalletKey): string => `${tenant(tenantId)}:provider:${wallet}`,
    idempotency: (tenantId: string, scope: string): string => `${tenant(tenantId)}:idempotency:${scope}`,

    pass: (tenantId: string, passId: string): string => `${tenant(tenantId)}:pass:${passId}`,
    passVersions: (tenantId: string, passId: string): string => `${tenant(tenantId)}:pass:${passId}:versions`,
    passes: (tenantId: string): string => `${tenant(tenantId)}:passes`,
    passesByStatus: (tenantId: string): string => `${tenant(tenantId)}:passes:status`,
    passesByTemplate: (tenantId: string, templateId: string): string =>
      `${tenant(tenantId)}:passes:template:${templateId}`,
    passRefs: (tenantId: string): string => `${tenant(tenantId)}:passes:refs`,

    /** Counts the changes of passes that devices are to fetch. */
    changes: (tenantId: string): string => `${tenant(tenantId)}:changes`,
    passDevices: (tenantId: string, passId: string): string => `${tenant(tenantId)}:pass:${passId}:devices`,
    device: (tenantId: string, deviceId: string): string => `${tenant(tenantId)}:device:${deviceId}`,
    /** Which device of a pass has asked for its list lately, by who it was. */
    listedTo: (tenantId: string, caller: string, passId: string): string =>
      `${tenant(tenantId)}:listed:${caller}:${passId}`,

    /** A call-back of Google that was taken. What names it is Google's, so that only a hash becomes part of a key. */
    callbackNonce: (tenantId: string, nonce: string): string =>
      `${tenant(tenantId)}:callback:${createHash("sha256").update(nonce).digest("base64url")}`,

    batch: (tenantId: string, batchId: string): string => `${tenant(tenantId)}:batch:${batchId}`,
    batchOperations: (tenantId: string, batchId: string): string =>
      `${tenant(tenantId)}:batch:${batchId}:operations`,
    batchErrors: (tenantId: string, batchId: string): string => `${tenant(tenantId)}:batch:${batchId}:errors`,
    batches: (tenantId: string): string => `${tenant(tenantId)}:batches`,
    activeBatches: (tenantId: string): string => `${tenant(tenantId)}:batches:active`,
    batchesByStatus: (tenantId: string): string => `${tenant(tenantId)}:batches:status`,

    message: (tenantId: string, messageId: string): string => `${tenant(tenantId)}:message:${messageId}`,
    messages: (tenantId: string): string => `${tenant(tenantId)}:messages`,
    messagesOf: (tenantId: string, subject: "pass" | "template", id: string): string =>
      `${tenant(tenantId)}:messages:${subject}:${id}`,

    record: (tenantId: string, kind: RecordKind, id: string): string => `${tenant(tenantId)}:${kind}:${id}`,

    /** What the keys of a tenant's jobs begin with, here and in stream entries. */
    jobs: (tenantId: string): string => `${tenant(tenantId)}:job:`,
    /** The ids of those that were accepted on a day, counted from 1970; lua/parts/list-job.lua writes them. */
    jobList: (tenantId: string, day: number): string => `${tenant(tenantId)}:jobs:${day}`,
    failedJobs: (tenantId: string): string => `${tenant(tenantId)}:failed-jobs`,

    event: (tenantId: string, eventId: string): string => `${tenant(tenantId)}:event:${eventId}`,
    /** The event's deliveries that are dead letters. */
    deadDeliveries: (tenantId: string, eventId: string): string =>
      `${tenant(tenantId)}:event:${eventId}:dead`,
    // The history of events. Its strings are numbered; lua/parts/event-log.lua says what is in them.
    events: (tenantId: string): string => `${tenant(tenantId)}:events`,
    eventLog: (tenantId: string, number: number): string => `${tenant(tenantId)}:events:log:${number}`,
    eventMessages: (tenantId: string, number: number): string =>
      `${tenant(tenantId)}:events:log:${number}:messages`,
    /** What the strings of a type begin with: `:0`, `:1` and so on follow. */
    eventsByType: (tenantId: string, type: EventType): string => `${tenant(tenantId)}:events:${type}`,
    /** What `record-event` writes: the history, those of the type, and the counts of the day (UTC). */
    recordedEvents: (tenantId: string, type: EventType, atMs: number): [string, string, string] => [
      `${tenant(tenantId)}:events`,
      `${tenant(tenantId)}:events:${type}`,
      `${tenant(tenantId)}:event-counts:${new Date(atMs).toISOString().slice(0, 10)}`,
    ],
    eventCounts: (tenantId: string, date: string): string => `${tenant(tenantId)}:event-counts:${date}`,

    webhook: (tenantId: string, webhookId: string): string => `${tenant(tenantId)}:webhook:${webhookId}`,
    webhooks: (tenantId: string): string => `${tenant(tenantId)}:webhooks`,
    webhooksByType: (tenantId: string, type: WebhookEventType): string =>
      `${tenant(tenantId)}:webhooks:${type}`,
    deliveries: (tenantId: string, webhookId: string): string =>
      `${tenant(tenantId)}:webhook:${webhookId}:deliveries`,
    parked: (tenantId: string, webhookId: string): string =>
      `${tenant(tenantId)}:webhook:${webhookId}:parked`,

    // A tenant, or the system.
    /** What all keys of an owner begin with. */
    ofOwner: owner,
    template: (tenantId: string | null, templateId: string): string =>
      `${owner(tenantId)}:template:${templateId}`,
    templateVersion: (tenantId: string | null, templateId: string, version: number): string =>
      `${owner(tenantId)}:template:${templateId}:version:${version}`,
    templateDraft: (tenantId: string | null, templateId: string): string =>
      `${owner(tenantId)}:template:${templateId}:draft`,
    templates: (tenantId: string | null): string => `${owner(tenantId)}:templates`,
    templateNames: (tenantId: string | null): string => `${owner(tenantId)}:templates:names`,
    image: (tenantId: string | null, sha256: string): string => `${owner(tenantId)}:image:${sha256}`,
  };
}

export type Keys = ReturnType<typeof createKeys>;
