import { createHash } from "node:crypto";
import { type Clock, isoInstant } from "../clock.ts";
import { invalidRequest, PasswrightError } from "../errors.ts";
import { type IdempotencyClaim, type IdempotencyStore, keyReused, recallAnswer } from "../idempotency.ts";
import type { Ids } from "../ids.ts";
import type { ProviderConfigurationStore } from "../providers/configuration.ts";
import { latestVersion } from "../templates/find.ts";
import {
  intents,
  type RenderableTemplate,
  type TemplateStore,
  type WalletKey,
} from "../templates/template.ts";
import type { CreateOutcome, Pass, PassData, PassStore } from "./pass.ts";
import { passResource } from "./resource.ts";
import { dataViolations } from "./validate-data.ts";

export type CreatePassInput = {
  tenantId: string;
  templateId: string;
  intent: string;
  externalRef: string;
  data: PassData;
  idempotency: IdempotencyClaim | null;
  traceId: string;
};

/** `body` is the JSON of the 202; `replayed` when it answers a repeat. */
export type AcceptedPass = { body: string; jobId: string; replayed: boolean };

type Deps = {
  templates: TemplateStore;
  providerConfigurations: ProviderConfigurationStore;
  passes: PassStore;
  idempotency: IdempotencyStore;
  ids: Ids;
  clock: Clock;
  baseUrl: string;
};

/**
 * Accepts a new pass: once it returns, pass, job, event and queue entry exist, written in one step.
 * Rejects with invalid_template, intent_mismatch, invalid_request (data), no_providers, idempotency_key_reused,
 * duplicate_external_ref, insufficient_credits or contract_cap_reached; then nothing is written.
 */
export async function createPass(deps: Deps, input: CreatePassInput): Promise<AcceptedPass> {
  const kept = await recallAnswer(deps, input.tenantId, input.idempotency);
  if (kept !== null) return { body: kept, jobId: JSON.parse(kept).job_id, replayed: true };
  const renderable = await usableTemplate(deps, input);
  const wallets = await usableWallets(deps, input.tenantId, renderable.template.providers);
  const pass = newPass(deps, input, renderable, wallets);
  const body = JSON.stringify(passResource(pass, deps.baseUrl));
  const eventId = deps.ids.uuid();
  const outcome = await deps.passes.create({
    pass,
    fingerprint: creationFingerprint(input),
    traceId: input.traceId,
    event: { id: eventId, webhookBody: webhookBody(eventId, pass, body) },
    idempotency: input.idempotency,
    response: body,
  });
  return answer(deps, outcome, pass, body, input);
}

async function usableTemplate(deps: Deps, input: CreatePassInput): Promise<RenderableTemplate> {
  const template = await deps.templates.find(input.tenantId, input.templateId);
  if (template === null || template.status !== "active") {
    throw new PasswrightError(
      "invalid_template",
      "template_id names no active template of this tenant. GET /api/v1/templates lists them.",
    );
  }
  const intent = intents[template.type];
  if (input.intent !== intent) {
    throw new PasswrightError(
      "intent_mismatch",
      `The template is a ${template.type}: intent must be ${intent}.`,
    );
  }
  const renderable = await latestVersion(deps, template);
  const violations = dataViolations(renderable.version.content, input.data);
  if (violations.length > 0) throw invalidRequest(violations);
  return renderable;
}

async function usableWallets(
  deps: Deps,
  tenantId: string,
  supported: readonly WalletKey[],
): Promise<WalletKey[]> {
  const enabled = await deps.providerConfigurations.enabledWallets(tenantId);
  const wallets = supported.filter((wallet) => enabled.includes(wallet));
  if (wallets.length === 0) {
    throw new PasswrightError(
      "no_providers",
      `The template supports ${supported.join(" and ")}, and the tenant has no enabled configuration for any of them. An operator adds one with «passwright providers set».`,
    );
  }
  return wallets;
}

function newPass(
  deps: Deps,
  input: CreatePassInput,
  renderable: RenderableTemplate,
  wallets: WalletKey[],
): Pass {
  const nowMs = deps.clock.nowMs();
  const providers: Pass["providers"] = {};
  for (const wallet of wallets) {
    providers[wallet] = { status: "queued", saveLink: null, error: null, updatedAtMs: nowMs };
  }
  return {
    id: deps.ids.uuid(),
    tenantId: input.tenantId,
    templateId: renderable.template.id,
    templateVersion: renderable.version.version,
    intent: intents[renderable.template.type],
    externalRef: input.externalRef,
    data: input.data,
    status: "pending",
    version: 1,
    providers,
    jobId: deps.ids.uuid(),
    pageToken: deps.ids.pageToken(input.tenantId),
    authenticationToken: deps.ids.secret(),
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

function creationFingerprint(input: CreatePassInput): string {
  const data = Object.entries(input.data).sort(([a], [b]) => (a < b ? -1 : 1));
  const canonical = JSON.stringify([input.templateId, input.intent, data]);
  return createHash("sha256").update(canonical).digest("base64url");
}

function webhookBody(eventId: string, pass: Pass, resource: string): string {
  const head = JSON.stringify({
    id: eventId,
    type: "pass.created",
    created_at: isoInstant(pass.createdAtMs),
    tenant_id: pass.tenantId,
  });
  return `${head.slice(0, -1)},"data":${resource}}`;
}

async function answer(
  deps: Deps,
  result: CreateOutcome,
  pass: Pass,
  body: string,
  input: CreatePassInput,
): Promise<AcceptedPass> {
  switch (result.outcome) {
    case "created":
      return { body, jobId: pass.jobId, replayed: false };
    case "replayed":
      return { body: result.response, jobId: JSON.parse(result.response).job_id, replayed: true };
    case "repeated": {
      const original = asCreated(result.pass, result.jobId, input.data);
      const first = JSON.stringify(passResource(original, deps.baseUrl));
      // The key now stands for this answer: with another body it must not stand for another pass.
      const { idempotency } = input;
      const kept = idempotency && (await deps.idempotency.keep(input.tenantId, idempotency, first));
      if (kept === "reused") throw keyReused();
      return { body: kept?.response ?? first, jobId: result.jobId, replayed: true };
    }
    case "key_reused":
      throw keyReused();
    case "duplicate_external_ref":
      throw new PasswrightError(
        "duplicate_external_ref",
        "A pass with this external_ref exists, made from other values, or revoked. Update it, or choose another external_ref.",
      );
    case "insufficient_credits":
      throw new PasswrightError(
        "insufficient_credits",
        "The tenant has no credits left. Buy some: POST /api/v1/billing/topup.",
      );
    case "contract_cap_reached":
      throw new PasswrightError(
        "contract_cap_reached",
        "The contract's cap of passes for this calendar month (UTC) is reached.",
      );
  }
}

/** A pass as its first 202 showed it; the fingerprint proved that `data` is what it was made with. */
function asCreated(pass: Pass, jobId: string, data: PassData): Pass {
  const providers: Pass["providers"] = {};
  for (const wallet of Object.keys(pass.providers) as WalletKey[]) {
    providers[wallet] = { status: "queued", saveLink: null, error: null, updatedAtMs: pass.createdAtMs };
  }
  return { ...pass, jobId, data, providers, status: "pending", version: 1, updatedAtMs: pass.createdAtMs };
}
