import type { ApplicationStore } from "../applications/application.ts";
import { applicationResource } from "../applications/resource.ts";
import type { AuditLog } from "../audit/entry.ts";
import { listAudit } from "../audit/list.ts";
import type { BatchStore } from "../batches/batch.ts";
import { batchResource } from "../batches/resource.ts";
import { type Clock, isoInstant } from "../clock.ts";
import { type LedgerStore, listLedger } from "../credits/ledger.ts";
import { ledgerResource } from "../credits/ledger-resource.ts";
import type { EventStore } from "../events/event.ts";
import { eventResource } from "../events/resource.ts";
import type { JobHistory } from "../jobs/history.ts";
import { jobResource } from "../jobs/resource.ts";
import type { MessageStore } from "../messages/message.ts";
import { shownMessage } from "../messages/read.ts";
import type { PassStore } from "../passes/pass.ts";
import { passResource } from "../passes/resource.ts";
import { versionResource } from "../passes/versions.ts";
import type { ProviderConfigurationStore } from "../providers/configuration.ts";
import { providerResource } from "../providers/resource.ts";
import { templateDetail, templateSnapshot } from "../templates/resource.ts";
import type { Template, TemplateStore } from "../templates/template.ts";
import { tenantResource } from "../tenants/resource.ts";
import type { Tenant, TenantStore } from "../tenants/tenant.ts";
import { deliveryResource, webhookResource } from "../webhooks/resource.ts";
import type { DeliveryStore, WebhookStore } from "../webhooks/webhook.ts";
import { everyPage } from "./every-page.ts";

/** What an export is made of, in this order. */
export const exportedTypes = [
  "tenant",
  "application",
  "provider",
  "template",
  "template_version",
  "template_image",
  "pass",
  "pass_version",
  "batch",
  "message",
  "job",
  "credit_movement",
  "webhook",
  "delivery",
  "event",
  "audit",
] as const;
export type ExportedType = (typeof exportedTypes)[number];

/** One line of an export: what it is, and the thing as the API or its command shows it. */
export type Exported = { type: ExportedType; data: object };

export type ExportDeps = {
  tenants: Pick<TenantStore, "balance">;
  applications: Pick<ApplicationStore, "list">;
  providerConfigurations: Pick<ProviderConfigurationStore, "list">;
  templates: Pick<TemplateStore, "list" | "renderable">;
  passes: Pick<PassStore, "list" | "versions">;
  batches: Pick<BatchStore, "list">;
  messages: MessageStore;
  jobHistory: Pick<JobHistory, "stretches">;
  ledger: LedgerStore;
  webhooks: Pick<WebhookStore, "list">;
  deliveries: Pick<DeliveryStore, "list">;
  events: Pick<EventStore, "list">;
  audit: Pick<AuditLog, "entries">;
  clock: Clock;
};

type Named = { id: string };
const idOf = ({ id }: Named): string => id;

/** All that there is of a tenant, readable, without a secret; one thing after the other, however many there are. */
export async function* exportTenant(
  deps: ExportDeps,
  tenant: Tenant,
  baseUrl: string,
): AsyncGenerator<Exported> {
  const { id: tenantId } = tenant;
  const nowMs = deps.clock.nowMs();
  yield { type: "tenant", data: tenantResource(tenant, await deps.tenants.balance(tenantId, nowMs)) };
  for await (const one of everyPage((page) => deps.applications.list(tenantId, page), idOf)) {
    yield { type: "application", data: applicationResource(one) };
  }
  for (const one of await deps.providerConfigurations.list(tenantId)) {
    yield { type: "provider", data: providerResource(one) };
  }
  for await (const one of everyPage((page) => deps.templates.list(tenantId, {}, page), idOf)) {
    // Those of the system are nobody's.
    if (one.tenantId === tenantId) yield* templateParts(deps, one);
  }
  for await (const one of everyPage((page) => deps.passes.list(tenantId, {}, page), idOf)) {
    yield { type: "pass", data: passResource(one, baseUrl) };
    yield* passVersions(deps, tenantId, one.id);
  }
  for await (const one of everyPage((page) => deps.batches.list(tenantId, {}, page), idOf)) {
    yield { type: "batch", data: batchResource(one) };
  }
  for await (const one of everyPage((page) => deps.messages.list(tenantId, {}, page), idOf)) {
    yield { type: "message", data: await shownMessage(deps, one) };
  }
  for await (const { jobs } of deps.jobHistory.stretches(tenantId, "accepted")) {
    for (const job of jobs) yield { type: "job", data: jobResource(job) };
  }
  for await (const movement of listLedger(deps, { tenantId, sinceMs: null, untilMs: null })) {
    yield { type: "credit_movement", data: ledgerResource(movement) };
  }
  for await (const one of everyPage((page) => deps.webhooks.list(tenantId, page), idOf)) {
    yield { type: "webhook", data: webhookResource(one) };
    const of = { tenantId, webhookId: one.id, nowMs };
    for await (const delivery of everyPage((page) => deps.deliveries.list(of, page), idOf)) {
      yield { type: "delivery", data: deliveryResource(delivery) };
    }
  }
  for await (const one of everyPage((page) => deps.events.list(tenantId, { toMs: nowMs }, page), idOf)) {
    yield { type: "event", data: eventResource(one) };
  }
  const limits = { sinceMs: 0, untilMs: nowMs, limit: Number.MAX_SAFE_INTEGER };
  for await (const entry of listAudit(deps, { tenantId, action: null, ...limits })) {
    yield { type: "audit", data: entry };
  }
}

async function* templateParts({ templates }: ExportDeps, template: Template): AsyncGenerator<Exported> {
  yield { type: "template", data: templateDetail(template) };
  const seen = new Set<string>();
  for (let version = 1; version <= template.latestVersion; version += 1) {
    const renderable = await templates.renderable(template, version);
    if (renderable === null) continue;
    yield { type: "template_version", data: templateSnapshot(renderable) };
    for (const [name, bytes] of renderable.images) {
      const base64 = Buffer.from(bytes).toString("base64");
      if (seen.has(`${name} ${base64}`)) continue;
      seen.add(`${name} ${base64}`);
      yield { type: "template_image", data: { template_id: template.id, version, name, base64 } };
    }
  }
}

async function* passVersions(
  { passes }: ExportDeps,
  tenantId: string,
  passId: string,
): AsyncGenerator<Exported> {
  const list = async (page: Parameters<PassStore["list"]>[2]) =>
    (await passes.versions(tenantId, passId, page)) ?? { items: [], total: 0 };
  for await (const one of everyPage(list, ({ version }) => String(version))) {
    yield { type: "pass_version", data: { pass_id: passId, ...versionResource(one) } };
  }
}

/** The first and the last line: whose it is and when it was made; how many things of each type came between. */
export function exportStart(
  tenant: Tenant,
  product: string,
  nowMs: number,
): { type: "export"; data: object } {
  const data = {
    format: "passwright-export",
    version: 1,
    tenant_id: tenant.id,
    product,
    made_at: isoInstant(nowMs),
  };
  return { type: "export", data };
}
