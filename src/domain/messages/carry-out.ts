import type { Clock } from "../clock.ts";
import type { DeviceStore } from "../devices/device.ts";
import { notifyDevices } from "../devices/notify.ts";
import { type PushToDevice, pushing } from "../devices/push.ts";
import { PasswrightError } from "../errors.ts";
import { asFault, judgeFault, turnOf } from "../jobs/attempt-fault.ts";
import { warningOf } from "../jobs/job.ts";
import type { Task, WorkQueue } from "../jobs/work.ts";
import type { Providers } from "../passes/carry-out.ts";
import type { PassStore } from "../passes/pass.ts";
import { placeOf } from "../providers/call-rate.ts";
import type { Credentials, ProviderConfigurationStore } from "../providers/configuration.ts";
import type { RetrySchedule } from "../retry.ts";
import { latestVersion, templateOfPass } from "../templates/find.ts";
import {
  type RenderableTemplate,
  type TemplateStore,
  type WalletKey,
  walletKeys,
} from "../templates/template.ts";
import type { Message, MessageOutcome, MessageStore, MessageWork } from "./message.ts";

type Deps = {
  messages: MessageStore;
  messageWork: MessageWork;
  passes: PassStore;
  templates: TemplateStore;
  providerConfigurations: ProviderConfigurationStore;
  providers: Providers;
  devices: Pick<DeviceStore, "page" | "told">;
  queue: Pick<WorkQueue, "retryLater" | "lineUp">;
  jobRetrySchedule: RetrySchedule;
  clock: Clock;
  baseUrl: string;
};

/** Passes of a broadcast that get the message in one step. */
const stepSize = 200;

/** Passes whose devices are told at a time. */
const toldTogether = 50;

/**
 * Sends one wallet's part of a message, once, and writes what became of it. A wallet that shows messages itself is called:
 * once for a pass, once for all passes of a template. For the others the message becomes a part of each pass.
 */
export async function carryOutMessage(deps: Deps, task: Task, signal: AbortSignal) {
  if (task.attempt > deps.jobRetrySchedule.length) {
    const failure = {
      code: "worker_lost",
      description: "Every worker that tried this ended before it was done.",
    };
    return settle(deps, task, { outcome: "failed", failure, bury: true });
  }
  const message = await deps.messages.find(task.tenantId, task.record.resource_id ?? "");
  const wallet = walletKeys.find((known) => known === task.lane);
  if (message === null || wallet === undefined) return settle(deps, task, { outcome: "sent" });
  try {
    const outcome = await deliver(deps, task, { message, wallet, signal });
    return outcome === "lost" ? { outcome } : await settle(deps, task, outcome);
  } catch (error) {
    if (signal.aborted) throw error;
    const fault = asFault(error);
    const turnAtMs = turnOf(deps, task, fault);
    if (turnAtMs !== null) {
      return { outcome: (await deps.queue.lineUp(task, turnAtMs)) ? "in_line" : "lost" };
    }
    return { ...(await fail(deps, task, fault)), err: error };
  }
}

type Delivery<Wallet extends WalletKey> = { message: Message; wallet: Wallet; signal: AbortSignal };

async function deliver<Wallet extends WalletKey>(
  deps: Deps,
  task: Task,
  { message, wallet, signal }: Delivery<Wallet>,
): Promise<MessageOutcome | "lost"> {
  const { subject, tenantId } = message;
  // A template that no pass is made of may have no class yet, and there is nobody to tell.
  if (subject.kind === "template" && (await deps.messages.reach(tenantId, subject.id)) === 0) {
    return { outcome: "sent" };
  }
  const provider = deps.providers[wallet];
  const credentials: Credentials[Wallet] | null = await deps.providerConfigurations.credentials(
    tenantId,
    wallet,
  );
  if (credentials === null) {
    throw new PasswrightError(
      "provider_credentials_invalid",
      `The tenant has no enabled configuration for ${wallet} any more.`,
    );
  }
  if (provider.showMessage === undefined) {
    return spread(deps, task, { ...pushing(provider, credentials), signal });
  }
  const { notified } = await provider.showMessage(
    {
      id: message.id,
      tenantId,
      header: message.header,
      body: message.body,
      passId: subject.kind === "pass" ? subject.id : null,
      template: await templateOf(deps, message),
      place: placeOf(task),
    },
    credentials,
    signal,
  );
  return notified ? { outcome: "sent" } : { outcome: "sent", warning: warningOf("notification_capped") };
}

/** That of the pass in the version that it is on, or that of a broadcast in its latest. */
async function templateOf(deps: Deps, { tenantId, subject }: Message): Promise<RenderableTemplate> {
  if (subject.kind === "pass") {
    const pass = await deps.passes.find(tenantId, subject.id);
    if (pass !== null) return templateOfPass(deps, pass);
  }
  const template = subject.kind === "pass" ? null : await deps.templates.find(tenantId, subject.id);
  if (template === null) throw new PasswrightError("invalid_template", "The message's template is gone.");
  return latestVersion(deps, template);
}

async function spread(
  deps: Deps,
  task: Task,
  { push, signal }: { push: PushToDevice | null; signal: AbortSignal },
): Promise<MessageOutcome | "lost"> {
  const { tenantId } = task;
  for (let told: string | null = null; ; ) {
    signal.throwIfAborted();
    const reply = await deps.messageWork.spread(task, stepSize, told);
    if (reply.outcome === "lost") return reply.outcome;
    await tellAll(
      deps,
      reply.passes.map((pass) => ({ tenantId, ...pass, push })),
      signal,
    );
    if (reply.outcome === "done") return { outcome: "sent" };
    told = reply.cursor;
  }
}

/** Those of all passes, also where one's cannot be told: then it rejects in the end. */
async function tellAll(
  deps: Deps,
  passes: readonly Parameters<typeof notifyDevices>[1][],
  signal: AbortSignal,
): Promise<void> {
  for (let i = 0; i < passes.length; i += toldTogether) {
    const some = passes.slice(i, i + toldTogether);
    const each = await Promise.allSettled(some.map((pass) => notifyDevices(deps, pass, signal)));
    for (const one of each) if (one.status === "rejected") throw one.reason;
  }
}

async function fail(deps: Deps, task: Task, fault: PasswrightError) {
  const { failure, retryable, dueAtMs } = judgeFault(deps, task, fault);
  if (dueAtMs === null) return settle(deps, task, { outcome: "failed", failure, bury: retryable });
  const held = await deps.queue.retryLater(task, failure, dueAtMs);
  return { outcome: held ? "retrying" : "lost", failure };
}

async function settle(deps: Deps, task: Task, outcome: MessageOutcome) {
  const held = await deps.messageWork.settle(task, outcome);
  return held ? outcome : { outcome: "lost" };
}
