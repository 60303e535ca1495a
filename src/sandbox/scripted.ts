import { type Answer, Refused } from "./exchange.ts";
import type { Fault, Faults } from "./faults.ts";
import { pause } from "./pause.ts";

export type FaultParts = {
  faults: Pick<Faults, "take">;
  closing: AbortSignal;
  /** The scripted status in the words of the service that is stood in for. */
  refusal: (status: number, headers: Record<string, string>) => Refused;
};

/** Answers with `handle`, unless a fault that is scripted for `resource` has it otherwise. */
export async function underFaults(
  { faults, closing, refusal }: FaultParts,
  resource: string,
  handle: () => Answer,
): Promise<Answer> {
  const fault = faults.take(resource);
  if (fault === undefined) return handle();
  await pause(fault.delayMs, closing);
  const scripted = answerOf(fault, refusal);
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

function answerOf({ reset, status, headers }: Fault, refusal: FaultParts["refusal"]): Answer | undefined {
  if (reset) return { reset: true };
  return status === null ? undefined : refusal(status, headers).answer;
}
