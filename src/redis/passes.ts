import { idempotencyRetentionSeconds } from "../domain/idempotency.ts";
import type { Page, PageRequest } from "../domain/page.ts";
import type {
  ChangeOutcome,
  CreateOutcome,
  Pass,
  PassChange,
  PassCreation,
  PassMessage,
  PassStore,
  RepeatedCreation,
} from "../domain/passes/pass.ts";
import type { PassVersion } from "../domain/passes/versions.ts";
import { asUnavailable } from "./connection.ts";
import { packEvent } from "./events.ts";
import { packIds, unpackIds } from "./packed-ids.ts";
import { newestFirst } from "./pages.ts";
import { changedFields, createdFields, creationOf, type PassHash, passFromHash } from "./pass-hash.ts";
import { historyRetentionSeconds } from "./retention.ts";
import type { ScriptArgument } from "./scripts.ts";
import type { StoreParts } from "./store.ts";
import { consumerGroup, jobRecords, recordName } from "./task-names.ts";
import { monthOf } from "./tenants.ts";

export function createPassStore(parts: StoreParts): PassStore {
  const { connection, keys, run } = parts;

  const read = async (tenantId: string, passId: string): Promise<PassHash> => {
    try {
      return await connection.hgetallBuffer(keys.pass(tenantId, passId));
    } catch (error) {
      throw asUnavailable(error);
    }
  };
  /** The latest message of a pass: the hash names it, and its text is where all messages are. */
  const messageOf = async (tenantId: string, hash: PassHash): Promise<PassMessage | null> => {
    const [id = "", at] = hash.message?.toString().split(" ") ?? [];
    if (at === undefined) return null;
    const [header, body] = await connection.hmget(keys.message(tenantId, id), "header", "body");
    return header == null || body == null ? null : { id, header, body, at: Number(at) };
  };
  const toPass = async (tenantId: string, id: string, hash: PassHash): Promise<Pass | null> => {
    try {
      return passFromHash({ tenantId, id }, hash, await messageOf(tenantId, hash));
    } catch (error) {
      throw asUnavailable(error);
    }
  };
  const find = async (tenantId: string, passId: string): Promise<Pass | null> =>
    toPass(tenantId, passId, await read(tenantId, passId));
  const repeated = async (tenantId: string, id: string): Promise<RepeatedCreation | null> => {
    const hash = await read(tenantId, id);
    const pass = await toPass(tenantId, id, hash);
    return pass && { outcome: "repeated", pass, ...creationOf(hash) };
  };
  const findByExternalRef = async (tenantId: string, externalRef: string): Promise<Pass | null> => {
    try {
      const id = await connection.hget(keys.passRefs(tenantId), externalRef);
      return id === null ? null : await find(tenantId, id);
    } catch (error) {
      throw asUnavailable(error);
    }
  };

  return {
    find,
    findByExternalRef,

    async findByPageToken(pageToken) {
      try {
        const owner = await connection.get(keys.page(pageToken));
        return owner === null ? null : await find(...unpackIds(owner));
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async create(creation): Promise<CreateOutcome> {
      const { tenantId } = creation.pass;
      const reply = (await run(
        "create-pass",
        creationKeys(parts, creation),
        creationArguments(creation),
      )) as [CreateOutcome["outcome"], string];
      switch (reply[0]) {
        case "replayed":
          return { outcome: "replayed", response: reply[1] };
        case "repeated":
          return (await repeated(tenantId, reply[1])) ?? { outcome: "duplicate_external_ref" };
        default:
          return { outcome: reply[0] };
      }
    },

    async findRepeated({ tenantId, externalRef, fingerprint }) {
      try {
        const id = await connection.hget(keys.passRefs(tenantId), externalRef);
        if (id === null) return null;
        const facts = await connection.hmget(keys.pass(tenantId, id), "fingerprint", "status");
        const isRepeat = facts[0] === fingerprint && facts[1] !== "revoking" && facts[1] !== "revoked";
        return isRepeat ? await repeated(tenantId, id) : null;
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async change(change): Promise<ChangeOutcome> {
      const reply = (await run("change-pass", changeKeys(parts, change), changeArguments(parts, change))) as [
        ChangeOutcome["outcome"],
        string,
      ];
      return reply[0] === "replayed" ? { outcome: "replayed", response: reply[1] } : { outcome: reply[0] };
    },

    async list(tenantId, filter, page) {
      if (filter.externalRef !== undefined) {
        const pass = await findByExternalRef(tenantId, filter.externalRef);
        const matches = pass !== null && (filter.status === undefined || pass.status === filter.status);
        return pageOfAll(matches ? [pass] : [], page);
      }
      const index =
        filter.status === undefined
          ? keys.passes(tenantId)
          : `${keys.passesByStatus(tenantId)}:${filter.status}`;
      const { items, total } = await newestFirst(connection, index, page);
      const passes = await Promise.all(items.map((id) => find(tenantId, id)));
      return { items: passes.filter((pass) => pass !== null), total };
    },

    async versions(tenantId, passId, page) {
      const pass = await find(tenantId, passId);
      if (pass === null) return null;
      try {
        // Each update keeps the version before it, so version N stands at N - 1. By that place, and not from the end: an update
        // at this moment makes the list longer.
        const newest = pass.version - (page.page - 1) * page.pageSize;
        const oldest = Math.max(1, newest - page.pageSize + 1);
        const last = Math.min(newest, pass.version - 1);
        const key = keys.passVersions(tenantId, passId);
        const kept = last < oldest ? [] : await connection.lrange(key, oldest - 1, last - 1);
        const older = kept.reverse().map((text) => JSON.parse(text) as PassVersion);
        const items = newest === pass.version ? [presentVersion(pass), ...older] : older;
        return { items, total: pass.version };
      } catch (error) {
        throw asUnavailable(error);
      }
    },
  };
}

function pageOfAll<Item>(items: Item[], { page, pageSize }: PageRequest): Page<Item> {
  const start = (page - 1) * pageSize;
  return { items: items.slice(start, start + pageSize), total: items.length };
}

function presentVersion(pass: Pass): PassVersion {
  return {
    version: pass.version,
    change: pass.version === 1 ? "created" : "updated",
    data: pass.data,
    jobId: pass.versionJobId,
    createdAtMs: pass.versionAtMs,
  };
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function creationKeys({ keys }: StoreParts, creation: PassCreation): string[] {
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
    keys.events(tenantId),
    keys.eventsByType(tenantId, "pass.created"),
    keys.eventCounts(tenantId, dateOf(pass.createdAtMs)),
    keys.webhooksByType(tenantId, "pass.created"),
    keys.event(tenantId, event.id),
    keys.outbox(partition),
    creation.reservedBy === null ? credits : keys.batch(tenantId, creation.reservedBy),
  ];
}

function creationArguments(creation: PassCreation): ScriptArgument[] {
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

function changeKeys({ keys }: StoreParts, { before, after, event, idempotency }: PassChange): string[] {
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
    keys.retry(partition),
    keys.events(tenantId),
    keys.eventsByType(tenantId, event.type),
    keys.eventCounts(tenantId, dateOf(after.updatedAtMs)),
    keys.webhooksByType(tenantId, event.type),
    keys.event(tenantId, event.id),
    keys.outbox(partition),
    keys.passesByTemplate(tenantId, before.templateId),
    keys.credits(tenantId),
  ];
}

function changeArguments({ keys }: StoreParts, change: PassChange): ScriptArgument[] {
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
    consumerGroup,
    historyRetentionSeconds,
    keys.finishedJobs,
    monthOf(after.updatedAtMs),
    passFields.length,
    ...passFields,
    ...jobFields(change, after, kind === "update" ? "pass.update" : "pass.revoke"),
  ];
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
