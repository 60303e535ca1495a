import type { Clock } from "../clock.ts";
import type { DeviceStore } from "../devices/device.ts";
import { notifyDevices } from "../devices/notify.ts";
import { pushing } from "../devices/push.ts";
import { PasswrightError } from "../errors.ts";
import type { Ids } from "../ids.ts";
import { asFault, judgeFault, turnOf } from "../jobs/attempt-fault.ts";
import { type Concluded, type Failure, isWorthRetrying, type Task } from "../jobs/work.ts";
import { placeOf } from "../providers/call-rate.ts";
import type { Credentials, ProviderConfigurationStore } from "../providers/configuration.ts";
import type { IssuedPass, PassToIssue, Provider } from "../providers/provider.ts";
import type { RetrySchedule } from "../retry.ts";
import { templateOfPass } from "../templates/find.ts";
import { type TemplateStore, type WalletKey, walletKeys } from "../templates/template.ts";
import { isRevoked, type Pass, type PassOutcome, type PassStore, type PassWork } from "./pass.ts";

export type Providers = { [Wallet in WalletKey]: Provider<Credentials[Wallet]> };

type Deps = {
  passes: PassStore;
  passWork: PassWork;
  templates: TemplateStore;
  providerConfigurations: ProviderConfigurationStore;
  providers: Providers;
  devices: Pick<DeviceStore, "page" | "told">;
  jobRetrySchedule: RetrySchedule;
  ids: Ids;
  clock: Clock;
  baseUrl: string;
};

/**
 * What an attempt came to, for the log. `in_line`: the wallet takes it when its turn comes, which was no
 * attempt; `lost`: another worker has the work by now, nothing was written.
 */
export type AttemptReport = {
  outcome: PassOutcome["outcome"] | "retrying" | "in_line" | "lost";
  failure?: Failure;
  /** The fault behind the failure, for the log only. */
  err?: unknown;
};

/**
 * Carries one wallet's part of a pass operation out, once, and writes what became of it. Rejects only when the store is
 * away or `signal` ends the attempt: then the lease is still open, and the work comes back.
 */
export async function carryOutPass(
  deps: Deps,
  task: Task,
  signal: AbortSignal,
  concluded: Concluded = () => {},
): Promise<AttemptReport> {
  const revision = Number(task.record.revision);
  const pass = await deps.passes.find(task.tenantId, task.record.resource_id ?? "");
  if (pass === null || pass.revision > revision) {
    return settle(deps, task, revision, { outcome: "overtaken" });
  }
  if (task.attempt > deps.jobRetrySchedule.length) {
    const failure = {
      code: "worker_lost",
      description: "Every worker that tried this ended before it was done.",
    };
    return settle(deps, task, revision, { outcome: "failed", failure, bury: true });
  }
  try {
    const issued = await issue(deps, task, pass, signal);
    concluded();
    const outcome = isRevoked(pass) ? ("revoked" as const) : ("completed" as const);
    return await settle(deps, task, revision, { outcome, ...issued });
  } catch (error) {
    if (signal.aborted) throw error;
    const fault = asFault(error);
    const turnAtMs = turnOf(deps, task, fault);
    if (turnAtMs !== null) return { outcome: await deps.passWork.lineUp(task, turnAtMs) };
    if (isNothingToVoid(task.lane, pass, fault)) {
      return settle(deps, task, revision, { outcome: "revoked", saveLink: "" });
    }
    return { ...(await fail(deps, task, revision, fault)), err: fault };
  }
}

async function issue(deps: Deps, task: Task, pass: Pass, signal: AbortSignal): Promise<IssuedPass> {
  const template = await templateOfPass(deps, pass);
  const { baseUrl } = deps;
  const job: PassToIssue = { pass, template, baseUrl, voided: isRevoked(pass), place: placeOf(task) };
  const wallet = walletKeys.find((known) => known === task.lane);
  if (wallet === undefined) {
    throw new PasswrightError("internal_error", `There is no wallet «${task.lane}».`);
  }
  return issueWith(deps, wallet, job, signal);
}

/** A wallet that never took the pass, and refuses it void as well: nobody can have it, and trying again changes nothing. */
function isNothingToVoid(lane: string, pass: Pass, fault: PasswrightError): boolean {
  const link = pass.providers[lane as WalletKey]?.saveLink ?? null;
  return isRevoked(pass) && link === null && !isWorthRetrying(fault.kind);
}

async function issueWith<Wallet extends WalletKey>(
  deps: Deps,
  wallet: Wallet,
  job: PassToIssue,
  signal: AbortSignal,
): Promise<IssuedPass> {
  const credentials = await deps.providerConfigurations.credentials(job.pass.tenantId, wallet);
  if (credentials === null) {
    throw new PasswrightError(
      "provider_credentials_invalid",
      `The tenant has no enabled configuration for ${wallet} any more.`,
    );
  }
  const provider = deps.providers[wallet];
  const issued = await provider.issue(job, credentials, signal);
  await notifyDevices(deps, { ...job.pass, passId: job.pass.id, ...pushing(provider, credentials) }, signal);
  return issued;
}

async function fail(
  deps: Deps,
  task: Task,
  revision: number,
  fault: PasswrightError,
): Promise<AttemptReport> {
  const { failure, retryable, dueAtMs } = judgeFault(deps, task, fault);
  if (dueAtMs !== null) {
    const reply = await deps.passWork.retryLater(task, failure, dueAtMs);
    return { outcome: reply === "retry" ? "retrying" : reply, failure };
  }
  // A dead letter is for what we could not do; what the wallet or the tenant's set-up refuses is an answer. But a
  // revocation cannot be asked for again, and the wallet still shows the pass: somebody has to see to it.
  const bury = retryable || task.record.type === "pass.revoke";
  return settle(deps, task, revision, { outcome: "failed", failure, bury });
}

async function settle(
  deps: Deps,
  task: Task,
  revision: number,
  outcome: PassOutcome,
): Promise<AttemptReport> {
  const held = await deps.passWork.settle(task, revision, outcome, { id: deps.ids.uuid() });
  if (!held) return { outcome: "lost" };
  return outcome.outcome === "failed"
    ? { outcome: "failed", failure: outcome.failure }
    : { outcome: outcome.outcome };
}
