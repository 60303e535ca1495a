import { notifyDevices } from "../devices/notify.ts";
import { type PushToDevice, pushing } from "../devices/push.ts";
import { PasswrightError } from "../errors.ts";
import { asFault } from "../jobs/attempt-fault.ts";
import type { Failure } from "../jobs/work.ts";
import type { ResignDeps } from "./deps.ts";
import type { HeldResign, RenewedPass } from "./resign-task.ts";

/** How many of the passes could not be told of, or why nothing can be. */
export type TellOutcome = { untold: number } | { failure: Failure };

/** Where APNs answers for other phones, one for which it has no answer is left after so many tries. */
const mostTries = 3;
const longestWaitMs = 60_000;
const longestAskedMs = 3_600_000;

/**
 * Tells the phones of some passes. While APNs cannot be reached at all it is tried again, at least once a minute, until it can
 * be or `signal` ends that; the task says meanwhile what it waits for. Rejects with what no waiting mends.
 */
export async function tellPhones(
  deps: ResignDeps,
  held: HeldResign,
  passes: readonly RenewedPass[],
  signal: AbortSignal,
): Promise<TellOutcome> {
  let left = passes;
  let isAnswering = false;
  for (let tries = 1; left.length > 0; tries += 1) {
    const push = await pushOf(deps, held.task.tenantId, () => {
      isAnswering = true;
    });
    const attempt = await tryAll(deps, held.task.tenantId, { passes: left, push }, signal);
    left = attempt.left;
    if (attempt.fault === null || (isAnswering && tries >= mostTries)) break;
    await deps.resignTasks.note(held, attempt.fault.detail);
    await deps.pause(waitMs(tries, attempt.fault), signal);
    signal.throwIfAborted();
  }
  if (passes.length > 0 && isAnswering) await deps.resignTasks.note(held, null);
  return { untold: left.length };
}

async function tryAll(
  deps: ResignDeps,
  tenantId: string,
  { passes, push }: { passes: readonly RenewedPass[]; push: PushToDevice | null },
  signal: AbortSignal,
): Promise<{ left: RenewedPass[]; fault: PasswrightError | null }> {
  const left: RenewedPass[] = [];
  let fault: PasswrightError | null = null;
  const each = passes.map(async (pass) => {
    try {
      await notifyDevices(deps, { tenantId, ...pass, push }, signal);
    } catch (error) {
      left.push(pass);
      const found = asFault(error);
      if (fault === null || !isWorthWaiting(found)) fault = found;
    }
  });
  await Promise.all(each);
  signal.throwIfAborted();
  const worst = fault as PasswrightError | null;
  if (worst !== null && !isWorthWaiting(worst)) throw worst;
  return { left, fault: worst };
}

function isWorthWaiting({ code }: PasswrightError): boolean {
  return code === "provider_unavailable" || code === "provider_rate_limited";
}

async function pushOf(
  deps: ResignDeps,
  tenantId: string,
  answered: () => void,
): Promise<PushToDevice | null> {
  const credentials = await deps.providerConfigurations.credentials(tenantId, "apple");
  if (credentials === null) {
    throw new PasswrightError(
      "provider_credentials_invalid",
      "The tenant has no enabled configuration for apple any more.",
    );
  }
  const { push } = pushing(deps.providers.apple, credentials);
  if (push === null) return null;
  return async (pushToken, signal) => {
    const answer = await push(pushToken, signal);
    if (answer.outcome !== "later") answered();
    return answer;
  };
}

function waitMs(tries: number, { retryAfterSeconds = 0 }: PasswrightError): number {
  const asked = Math.min(retryAfterSeconds * 1000, longestAskedMs);
  return Math.max(asked, Math.min(1000 * 2 ** (tries - 1), longestWaitMs));
}
