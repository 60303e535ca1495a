import { idempotencyRetentionSeconds } from "../domain/idempotency.ts";
import type { Failure } from "../domain/jobs/work.ts";
import type {
  CreateOutcome,
  Pass,
  PassCreation,
  PassStatus,
  PassStore,
  PassWork,
  ProviderEntry,
  ProviderStatus,
} from "../domain/passes/pass.ts";
import type { WalletKey } from "../domain/templates/template.ts";
import { asUnavailable } from "./connection.ts";
import { packEvent } from "./events.ts";
import { newestFirst } from "./pages.ts";
import { historyRetentionSeconds } from "./retention.ts";
import type { StoreParts } from "./store.ts";
import { consumerGroup, recordName } from "./task-names.ts";
import { monthOf } from "./tenants.ts";

/** What never changes after the creation. In one field: small hashes are what a store of many passes is made of. */
type FixedFacts = {
  intent: Pass["intent"];
  externalRef: string;
  pageToken: string;
  authenticationToken: string;
};

export function createPassStore(parts: StoreParts): PassStore {
  const { connection, keys, run } = parts;

  const find = async (tenantId: string, passId: string): Promise<Pass | null> => {
    try {
      return fromHash(tenantId, passId, await connection.hgetall(keys.pass(tenantId, passId)));
    } catch (error) {
      throw asUnavailable(error);
    }
  };

  return {
    find,

    async findByPageToken(pageToken) {
      try {
        const [tenantId, passId] = (await connection.get(keys.page(pageToken)))?.split(" ") ?? [];
        return tenantId === undefined || passId === undefined ? null : await find(tenantId, passId);
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async create(creation): Promise<CreateOutcome> {
      const { pass } = creation;
      const { tenantId } = pass;
      const reply = (await run(
        "create-pass",
        creationKeys(parts, creation),
        creationArguments(creation),
      )) as [CreateOutcome["outcome"], string];
      switch (reply[0]) {
        case "replayed":
          return { outcome: "replayed", response: reply[1] };
        case "repeated": {
          const original = await find(tenantId, reply[1]);
          const jobId = await connection
            .hget(keys.pass(tenantId, reply[1]), "created_job")
            .catch((error: unknown) => Promise.reject(asUnavailable(error)));
          if (original === null || jobId === null) return { outcome: "duplicate_external_ref" };
          return { outcome: "repeated", pass: original, jobId };
        }
        default:
          return { outcome: reply[0] };
      }
    },

    async list(tenantId, filter, page) {
      try {
        if (filter.externalRef !== undefined) {
          const id = await connection.hget(keys.passRefs(tenantId), filter.externalRef);
          const pass = id === null ? null : await find(tenantId, id);
          const matching =
            pass !== null && (filter.status === undefined || pass.status === filter.status) ? [pass] : [];
          const start = (page.page - 1) * page.pageSize;
          return { items: matching.slice(start, start + page.pageSize), total: matching.length };
        }
        const index =
          filter.status === undefined
            ? keys.passes(tenantId)
            : `${keys.passesByStatus(tenantId)}:${filter.status}`;
        const { items, total } = await newestFirst(connection, index, page);
        const passes = await Promise.all(items.map((id) => find(tenantId, id)));
        return { items: passes.filter((pass) => pass !== null), total };
      } catch (error) {
        throw asUnavailable(error);
      }
    },
  };
}

export function createPassWork({ keys, run }: StoreParts, deps: { nowMs(): number }): PassWork {
  return {
    async settle(task, version, outcome, event) {
      const { tenantId, record } = task;
      const passId = record.resource_id ?? "";
      const templateId = record.template ?? "";
      const nowMs = deps.nowMs();
      const date = new Date(nowMs).toISOString().slice(0, 10);
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
          keys.eventCounts(tenantId, date),
        ],
        [
          consumerGroup,
          task.lease,
          task.lane,
          version,
          nowMs,
          outcome.outcome,
          outcome.outcome === "completed" ? outcome.saveLink : "",
          failure === null ? "" : JSON.stringify(failure),
          outcome.outcome === "failed" && outcome.bury ? "1" : "",
          recordName(task),
          failure?.code ?? "",
          passId,
          task.id,
          packEvent({ id: event.id, type: "pass.activated", passId, templateId }),
          packEvent({ id: event.id, type: "pass.failed", passId, templateId }),
          historyRetentionSeconds,
          keys.finishedJobs,
        ],
      );
      return reply === "settled";
    },
  };
}

function creationKeys({ keys }: StoreParts, { pass, event, idempotency }: PassCreation): string[] {
  const { tenantId } = pass;
  const partition = keys.partitionOf(tenantId);
  const date = new Date(pass.createdAtMs).toISOString().slice(0, 10);
  return [
    keys.idempotency(tenantId, idempotency?.scope ?? ""),
    keys.passRefs(tenantId),
    keys.credits(tenantId),
    keys.pass(tenantId, pass.id),
    keys.passes(tenantId),
    keys.passesByStatus(tenantId),
    keys.page(pass.pageToken),
    keys.record(tenantId, "job", pass.jobId),
    keys.queue(partition, "interactive"),
    keys.events(tenantId),
    keys.eventsByType(tenantId, "pass.created"),
    keys.eventCounts(tenantId, date),
    keys.webhooksByType(tenantId, "pass.created"),
    keys.event(tenantId, event.id),
    keys.outbox(partition),
  ];
}

function creationArguments(creation: PassCreation): (string | number)[] {
  const { pass, event, idempotency } = creation;
  const wallets = Object.keys(pass.providers) as WalletKey[];
  const passFields = toFields(creation, wallets);
  const jobFields = [
    ...["type", "pass.create", "status", "queued", "tenant", pass.tenantId, "version", pass.version],
    ...["resource_type", "pass", "resource_id", pass.id, "template", pass.templateId],
    ...["total", wallets.length, "done", 0, "trace", creation.traceId, "created_at", pass.createdAtMs],
  ];
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
    passFields.length,
    ...passFields,
    ...jobFields,
  ];
}

function toFields({ pass, fingerprint }: PassCreation, wallets: readonly WalletKey[]): (string | number)[] {
  const fixed: FixedFacts = {
    intent: pass.intent,
    externalRef: pass.externalRef,
    pageToken: pass.pageToken,
    authenticationToken: pass.authenticationToken,
  };
  return [
    ...["fixed", JSON.stringify(fixed), "data", JSON.stringify(pass.data), "fingerprint", fingerprint],
    ...["template", pass.templateId, "template_version", pass.templateVersion],
    ...["status", pass.status, "version", pass.version, "wallets", wallets.join(" ")],
    ...["job", pass.jobId, "created_job", pass.jobId],
    ...["created_at", pass.createdAtMs, "updated_at", pass.updatedAtMs],
    ...wallets.flatMap((wallet) => [wallet, "queued", `${wallet}:at`, pass.createdAtMs]),
  ];
}

function fromHash(tenantId: string, id: string, hash: Record<string, string>): Pass | null {
  if (hash.fixed === undefined) return null;
  const fixed = JSON.parse(hash.fixed) as FixedFacts;
  const providers: Pass["providers"] = {};
  for (const wallet of (hash.wallets ?? "").split(" ") as WalletKey[]) {
    providers[wallet] = providerEntry(wallet, hash);
  }
  return {
    id,
    tenantId,
    templateId: hash.template ?? "",
    templateVersion: Number(hash.template_version),
    ...fixed,
    data: JSON.parse(hash.data ?? "{}"),
    status: hash.status as PassStatus,
    version: Number(hash.version),
    providers,
    jobId: hash.job ?? "",
    createdAtMs: Number(hash.created_at),
    updatedAtMs: Number(hash.updated_at),
  };
}

function providerEntry(wallet: WalletKey, hash: Record<string, string>): ProviderEntry {
  const error = hash[`${wallet}:error`];
  return {
    status: hash[wallet] as ProviderStatus,
    saveLink: hash[`${wallet}:link`] ?? null,
    error: error === undefined ? null : (JSON.parse(error) as Failure),
    updatedAtMs: Number(hash[`${wallet}:at`]),
  };
}
