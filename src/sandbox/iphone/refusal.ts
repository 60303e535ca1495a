/** Why a phone does not take a pass, as a sentence for people. */
export class PassRefused extends Error {
  override readonly name = "PassRefused";
}

/** An address that does not answer, or not as it should. */
export class NotReached extends Error {
  override readonly name = "NotReached";
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
