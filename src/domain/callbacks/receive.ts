import type { Clock } from "../clock.ts";
import { PasswrightError } from "../errors.ts";
import { type Ids, isUuid } from "../ids.ts";
import type { Log } from "../log.ts";
import type { PassStore } from "../passes/pass.ts";
import type { ProviderConfigurationStore } from "../providers/configuration.ts";
import { type Callback, type CallbackStore, type CallbackVerifier, refusalReasons } from "./callback.ts";
import type { RefusalLog } from "./refusal-log.ts";

/** `repeated`: it was taken before. `unknown_pass`, `unknown_change`: nothing follows from it. Else why it was refused. */
export const callbackOutcomes = [
  "saved",
  "removed",
  "repeated",
  "unknown_pass",
  "unknown_change",
  ...refusalReasons,
] as const;
export type CallbackOutcome = (typeof callbackOutcomes)[number];

export type CallbackDeps = {
  providerConfigurations: Pick<ProviderConfigurationStore, "find">;
  passes: Pick<PassStore, "find">;
  callbackVerifier: CallbackVerifier;
  callbacks: Pick<CallbackStore, "record">;
  callbackRefusals: RefusalLog;
  ids: Ids;
  clock: Clock;
  log: Log;
  metrics: { callback(outcome: CallbackOutcome): void };
};

export type ReceivedCallback = { tenantId: string; body: Uint8Array; traceId: string };

/**
 * Takes a call-back of Google about a pass of a tenant, however often it is delivered. `refused`: it is not Google's.
 * `misdirected`: it is, and meant for another issuer, who has given his classes this address: whoever sent it is Google. Rejects with not_found where the tenant has no Google Wallet, and with `unavailable` or
 * `provider_unavailable`, so that Google calls again. https://developers.google.com/wallet/generic/use-cases/use-callbacks-for-saves-and-deletions
 */
export async function receiveCallback(
  deps: CallbackDeps,
  { tenantId, body, traceId }: ReceivedCallback,
): Promise<"taken" | "refused" | "misdirected"> {
  const configuration = isUuid(tenantId) ? await deps.providerConfigurations.find(tenantId, "google") : null;
  const issuerId = configuration?.summary.issuer_id;
  if (configuration === null || issuerId === undefined) {
    throw new PasswrightError("not_found", "There is nothing at this path.");
  }
  const { sandbox } = configuration;
  const verdict = await deps.callbackVerifier.verify(body, { issuerId, sandbox });
  if (verdict.outcome === "refused") {
    const { reason, detail } = verdict;
    deps.metrics.callback(reason);
    deps.callbackRefusals.note({ tenant: tenantId, reason, detail, trace_id: traceId });
    return reason === "foreign_issuer" ? "misdirected" : "refused";
  }
  const { callback } = verdict;
  const outcome = await take(deps, tenantId, callback);
  deps.metrics.callback(outcome);
  const facts = { tenant: tenantId, object: callback.objectId, outcome, trace_id: traceId };
  // Of a pass that is another's, or of a kind of tomorrow, nothing can be done, by repetition least of all.
  if (outcome === "unknown_pass" || outcome === "unknown_change") deps.log.warn(facts, "callback.ignored");
  else deps.log.info(facts, "callback.taken");
  return "taken";
}

async function take(deps: CallbackDeps, tenantId: string, callback: Callback): Promise<CallbackOutcome> {
  const { change, name: passId, nonce, expiresAtMs } = callback;
  if (change === null) return "unknown_change";
  const pass = isUuid(passId) ? await deps.passes.find(tenantId, passId) : null;
  if (pass === null) return "unknown_pass";
  const { templateId } = pass;
  const eventId = deps.ids.uuid();
  const written = await deps.callbacks.record(
    { tenantId, passId, templateId, change, nonce, expiresAtMs, eventId },
    deps.clock.nowMs(),
  );
  if (written === "gone") return "unknown_pass";
  return written === "recorded" ? change : "repeated";
}
