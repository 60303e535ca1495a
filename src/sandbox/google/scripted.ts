import { type Answer, Refused } from "../exchange.ts";
import type { Fault, Faults } from "../faults.ts";
import { pause } from "../pause.ts";
import { apiError } from "./api-error.ts";

/** Answers with `handle`, unless a fault that is scripted for `resource` has it otherwise. */
export async function underFaults(
  { faults, closing }: { faults: Faults; closing: AbortSignal },
  resource: string,
  handle: () => Answer,
): Promise<Answer> {
  const fault = faults.take(resource);
  if (fault === undefined) return handle();
  await pause(fault.delayMs, closing);
  const scripted = answerOf(fault);
  if (scripted === undefined) return handle();
  if (fault.when === "after") attempt(handle);
  return scripted;
}

/** What takes effect may also be refused: either way its answer is lost. */
function attempt(handle: () => Answer): void {
  try {
    handle();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

const reasons: Record<number, string> = {
  429: "rateLimitExceeded",
  500: "backendError",
  503: "backendError",
};

function answerOf({ reset, status, headers }: Fault): Answer | undefined {
  if (reset) return { reset: true };
  if (status === null) return undefined;
  const reason = reasons[status] ?? "unknown";
  return apiError(status, "Scripted fault.", { domain: "global", reason, headers }).answer;
}
