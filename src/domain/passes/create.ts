import { createHash } from "node:crypto";
import { creditRefusal } from "../credits/refusal.ts";
import { invalidRequest, PasswrightError } from "../errors.ts";
import { eventBody } from "../events/body.ts";
import { keyReused, recallAnswer } from "../idempotency.ts";
import type { ProviderConfigurationStore } from "../providers/configuration.ts";
import {
  intents,
  type RenderableTemplate,
  type TemplateStore,
  type WalletKey,
} from "../templates/template.ts";
import { answerToKeep, type ChangeDeps, type ChangeRequest, replayedPass } from "./change.ts";
import type { AcceptedPass, CreateOutcome, Pass, PassData, RepeatedCreation } from "./pass.ts";
import { usableTemplate, usableWallets } from "./preparation.ts";
import { passResource } from "./resource.ts";
import { dataViolations } from "./validate-data.ts";

export type CreatePassInput = ChangeRequest & {
  templateId: string;
  intent: string;
  externalRef: string;
  data: PassData;
  /** The batch whose reservation pays for it; null: the tenant's own credits. */
  reservedBy?: string;
  /** An equal pass that is there already is no answer to the caller, so that nothing is kept under the request's key. */
  wantsNewOne?: true;
};

export type CreatePassDeps = ChangeDeps & {
  templates: TemplateStore;
  providerConfigurations: ProviderConfigurationStore;
};

/** `repeated`: it answers for an equal pass that was there already. */
export type CreatedPass = AcceptedPass & { repeated: boolean };

/**
 * Accepts a new pass: once it returns, pass, job, event and queue entry exist, written in one step.
 * Rejects with invalid_template, intent_mismatch, invalid_request (data), no_providers, idempotency_key_reused,
 * duplicate_external_ref, insufficient_credits or contract_cap_reached; then nothing is written.
 */
export async function createPass(deps: CreatePassDeps, input: CreatePassInput): Promise<CreatedPass> {
  const kept = await recallAnswer(deps, input.tenantId, input.idempotency);
  if (kept !== null) return { ...replayedPass(kept), repeated: false };
  const fingerprint = creationFingerprint(input);
  const prepared = await prepare(deps, input).catch(async (refusal: unknown) => {
    // The first answer does not depend on what has become of the template and of the wallets since.
    const repeated = await deps.passes.findRepeated({ ...input, fingerprint });
    if (repeated === null) throw refusal;
    return repeated;
  });
  if ("outcome" in prepared) return answerRepeat(deps, prepared, input);
  const pass = newPass(deps, input, prepared);
  const body = JSON.stringify(passResource(pass, deps.baseUrl));
  const eventId = deps.ids.uuid();
  const { tenantId, createdAtMs: atMs } = pass;
  const outcome = await deps.passes.create({
    pass,
    fingerprint,
    workClass: input.workClass,
    traceId: input.traceId,
    event: {
      id: eventId,
      webhookBody: eventBody({ id: eventId, type: "pass.created", tenantId, atMs, resource: body }),
    },
    idempotency: input.idempotency,
    response: answerToKeep(input, pass, body),
    reservedBy: input.reservedBy ?? null,
  });
  return answer(deps, outcome, { pass, body, input });
}

type Prepared = { renderable: RenderableTemplate; wallets: WalletKey[] };

async function prepare(deps: CreatePassDeps, input: CreatePassInput): Promise<Prepared> {
  const renderable = await usableTemplate(deps, input);
  const violations = dataViolations(renderable.version.content, input.data);
  if (violations.length > 0) throw invalidRequest(violations);
  const wallets = await usableWallets(deps, input.tenantId, renderable.template.providers);
  return { renderable, wallets };
}

function newPass(deps: CreatePassDeps, input: CreatePassInput, { renderable, wallets }: Prepared): Pass {
  const nowMs = deps.clock.nowMs();
  const jobId = deps.ids.uuid();
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
    versionJobId: jobId,
    versionAtMs: nowMs,
    revision: 1,
    message: null,
    providers,
    jobId,
    pageToken: deps.ids.pageToken(input.tenantId),
    authenticationToken: deps.ids.secret(),
    change: 0,
    modifiedAtMs: nowMs,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

function creationFingerprint(input: CreatePassInput): string {
  const data = Object.entries(input.data).sort(([a], [b]) => (a < b ? -1 : 1));
  const canonical = JSON.stringify([input.templateId, input.intent, data]);
  // 132 bits: it only tells a tenant's own requests under one external_ref apart.
  return createHash("sha256").update(canonical).digest("base64url").slice(0, 22);
}

async function answer(
  deps: CreatePassDeps,
  result: CreateOutcome,
  { pass, body, input }: { pass: Pass; body: string; input: CreatePassInput },
): Promise<CreatedPass> {
  switch (result.outcome) {
    case "created":
      return { body, passId: pass.id, jobId: pass.jobId, replayed: false, repeated: false };
    case "replayed":
      return { ...replayedPass(result.response), repeated: false };
    case "repeated":
      return answerRepeat(deps, result, input);
    case "key_reused":
      throw keyReused();
    case "duplicate_external_ref":
      throw new PasswrightError(
        "duplicate_external_ref",
        "A pass with this external_ref exists, made from other values, or revoked. Update it, or choose another external_ref.",
      );
    default:
      throw creditRefusal(result, { required: 1, baseUrl: deps.baseUrl, atMs: pass.createdAtMs });
  }
}

async function answerRepeat(
  deps: CreatePassDeps,
  repeated: RepeatedCreation,
  input: CreatePassInput,
): Promise<CreatedPass> {
  const original = asCreated(repeated, input);
  if (input.wantsNewOne) {
    return { body: "", passId: original.id, jobId: original.jobId, replayed: false, repeated: true };
  }
  const first = answerToKeep(input, original, JSON.stringify(passResource(original, deps.baseUrl)));
  // The key now stands for this answer: with another body it must not stand for another pass.
  const { idempotency } = input;
  const kept = idempotency && (await deps.idempotency.keep(input.tenantId, idempotency, first));
  if (kept === "reused") throw keyReused();
  return { ...replayedPass(kept?.response ?? first), repeated: true };
}

/** A pass as its first 202 showed it; the fingerprint proved that `input` says what it was made with. */
function asCreated({ pass, jobId, wallets }: RepeatedCreation, { templateId, data }: CreatePassInput): Pass {
  const providers: Pass["providers"] = {};
  for (const wallet of wallets) {
    providers[wallet] = { status: "queued", saveLink: null, error: null, updatedAtMs: pass.createdAtMs };
  }
  return {
    ...pass,
    jobId,
    templateId,
    data,
    providers,
    status: "pending",
    version: 1,
    updatedAtMs: pass.createdAtMs,
  };
}
