import type { Clock } from "../clock.ts";
import { PasswrightError } from "../errors.ts";
import { eventBody } from "../events/body.ts";
import { type IdempotencyClaim, type IdempotencyStore, keyReused, recallAnswer } from "../idempotency.ts";
import type { Ids } from "../ids.ts";
import { isRevoked, type PassStore } from "../passes/pass.ts";
import { usableWallets } from "../passes/preparation.ts";
import type { ProviderConfigurationStore } from "../providers/configuration.ts";
import { findTemplate } from "../templates/find.ts";
import type { TemplateStore, WalletKey } from "../templates/template.ts";
import type { Message, MessageStore, MessageSubject } from "./message.ts";
import { messageResource } from "./resource.ts";

type Deps = {
  messages: MessageStore;
  passes: PassStore;
  templates: TemplateStore;
  providerConfigurations: ProviderConfigurationStore;
  idempotency: IdempotencyStore;
  ids: Ids;
  clock: Clock;
};

/** `body` is the JSON of the 202; `replayed` when it answers a repeat. */
export type AcceptedMessage = { body: string; jobId: string; replayed: boolean };

/** Accepts a message. Rejects with not_found, invalid_state (revoked), no_providers or idempotency_key_reused. */
export async function sendMessage(
  deps: Deps,
  input: {
    tenantId: string;
    subject: MessageSubject;
    header: string;
    body: string;
    idempotency: IdempotencyClaim | null;
    traceId: string;
  },
): Promise<AcceptedMessage> {
  const { tenantId, subject } = input;
  const kept = await recallAnswer(deps, tenantId, input.idempotency);
  if (kept !== null) return replayed(kept);
  const reached = await audience(deps, tenantId, subject).catch(async (refusal: unknown) => {
    // An equal request at the same moment may have been carried out since it was asked: both get its answer.
    const carriedOut = await recallAnswer(deps, tenantId, input.idempotency);
    if (carriedOut === null) throw refusal;
    return carriedOut;
  });
  if (typeof reached === "string") return replayed(reached);
  const { wallets, affected } = reached;
  const message: Message = {
    id: deps.ids.uuid(),
    tenantId,
    subject,
    header: input.header,
    body: input.body,
    status: "pending",
    jobId: deps.ids.uuid(),
    createdAtMs: deps.clock.nowMs(),
  };
  const body = JSON.stringify(messageResource(message, affected));
  const eventId = deps.ids.uuid();
  const event = { id: eventId, type: "message.sent" as const, tenantId, atMs: message.createdAtMs };
  const result = await deps.messages.create({
    message,
    wallets,
    traceId: input.traceId,
    idempotency: input.idempotency,
    response: body,
    event: { id: eventId, webhookBody: eventBody({ ...event, resource: body }) },
  });
  switch (result.outcome) {
    case "created":
      return { body, jobId: message.jobId, replayed: false };
    case "replayed":
      return replayed(result.response);
    case "key_reused":
      throw keyReused();
    case "invalid_state":
      throw revoked();
  }
}

async function audience(
  deps: Deps,
  tenantId: string,
  subject: MessageSubject,
): Promise<{ wallets: WalletKey[]; affected: number }> {
  if (subject.kind === "pass") {
    const pass = await deps.passes.find(tenantId, subject.id);
    if (pass === null) throw new PasswrightError("not_found", "There is no pass with this id.");
    if (isRevoked(pass)) throw revoked();
    return { wallets: Object.keys(pass.providers) as WalletKey[], affected: 1 };
  }
  const template = await findTemplate(deps, tenantId, subject.id);
  const wallets = await usableWallets(deps, tenantId, template.providers);
  return { wallets, affected: await deps.messages.reach(tenantId, subject.id) };
}

function replayed(response: string): AcceptedMessage {
  const { job_id } = JSON.parse(response) as { job_id: string };
  return { body: response, jobId: job_id, replayed: true };
}

function revoked(): PasswrightError {
  return new PasswrightError("invalid_state", "The pass is revoked: nobody would see the message.");
}
