import { type Clock, isoInstant } from "../clock.ts";
import { PasswrightError } from "../errors.ts";
import { asNext, type MintedKey } from "./as-next.ts";
import { activeAndNext } from "./find.ts";
import { removedAtMs, safeToActivateAtMs, tokensExpiredAtMs } from "./lifetimes.ts";
import {
  mostPublishedKeys,
  type SigningKey,
  type SigningKeyMint,
  type SigningKeyStore,
} from "./signing-key.ts";

/** What a change of keys does, or would do. `next` is null while it is only planned: the key is not made yet. */
export type Rotation = {
  active: string;
  next: string | null;
  retiring: string | null;
  removed: string | null;
  /** Who will notice, and until when. */
  warnings: string[];
};

/**
 * Lets the next key sign from now on, and publishes a new next one; the active one verifies until its tokens have
 * expired. Refuses with invalid_state, naming the time when it becomes safe, while verifiers may hold a key set without
 * the next key (`force`: does it nevertheless), and while as many keys as verifiers take are published.
 */
export async function rotateKey(
  deps: { signingKeys: SigningKeyStore; mintSigningKey: SigningKeyMint; clock: Clock },
  input: { force: boolean; dryRun: boolean },
): Promise<Rotation> {
  let minted: MintedKey | null = null;
  for (;;) {
    const nowMs = deps.clock.nowMs();
    const keys = await deps.signingKeys.list();
    const { active, next } = activeAndNext(keys);
    refuseWhenFull(keys);
    const early = nowMs < safeToActivateAtMs(next);
    if (early && !input.force) throw tooEarly(next);
    const plan: Rotation = {
      active: next.kid,
      next: null,
      retiring: active.kid,
      removed: null,
      warnings: early ? [breaksVerifiers(next)] : [],
    };
    if (input.dryRun) return plan;
    if (minted === null) {
      // That takes its time, so look again: what is written must be true when it is written.
      minted = await deps.mintSigningKey();
      continue;
    }
    const successor = asNext(minted, nowMs);
    const outcome = await deps.signingKeys.rotate({
      activeKid: active.kid,
      nextKid: next.kid,
      successor,
      nowMs,
    });
    if (outcome === "done") return { ...plan, next: successor.kid };
  }
}

/** Whom it breaks to sign with a key that not every verifier can have seen. */
export function breaksVerifiers(next: SigningKey): string {
  return (
    `Verifiers that cached the key set before ${isoInstant(next.publishedAtMs)} do not know ${next.kid}: they refuse ` +
    `new tokens until they fetch the set again, at the latest at ${isoInstant(safeToActivateAtMs(next))}. ` +
    "This service itself is not affected."
  );
}

function tooEarly(next: SigningKey): PasswrightError {
  return new PasswrightError(
    "invalid_state",
    `The next key, ${next.kid}, is public since ${isoInstant(next.publishedAtMs)}; verifiers may hold a key set without it ` +
      `for 24 hours. Rotating becomes safe at ${isoInstant(safeToActivateAtMs(next))}. ` +
      "--force rotates now, and breaks them until then.",
  );
}

function refuseWhenFull(keys: readonly SigningKey[]): void {
  if (keys.length < mostPublishedKeys) return;
  const oldest = keys
    .filter(({ state }) => state === "retiring")
    .sort((a, b) => (a.retiredAtMs ?? 0) - (b.retiredAtMs ?? 0))[0];
  if (oldest === undefined) return;
  throw new PasswrightError(
    "invalid_state",
    `${mostPublishedKeys} keys are published, which is the most that verifiers take. ${oldest.kid} goes at ` +
      `${isoInstant(removedAtMs(oldest) ?? 0)}; \`passwright keys remove\` takes it from ` +
      `${isoInstant(tokensExpiredAtMs(oldest) ?? 0)} on.`,
  );
}
