import { type Clock, isoInstant } from "../clock.ts";
import { asNext, type MintedKey } from "./as-next.ts";
import { activeAndNext, findKey } from "./find.ts";
import { propagationMs, safeToActivateAtMs } from "./lifetimes.ts";
import { breaksVerifiers, type Rotation } from "./rotate.ts";
import {
  keySetLifetimeMs,
  type SigningKey,
  type SigningKeyMint,
  type SigningKeyStore,
} from "./signing-key.ts";

/**
 * Takes a leaked key out of the key set and out of our own verifier, which every process knows within seconds. An
 * active one is followed by the next at once, however short a time that has been public; a new next is made in place
 * of an active or a next one. Rejects with not_found for an unknown key.
 */
export async function dropCompromisedKey(
  deps: { signingKeys: SigningKeyStore; mintSigningKey: SigningKeyMint; clock: Clock },
  input: { kid: string; dryRun: boolean },
): Promise<Rotation> {
  let minted: MintedKey | null = null;
  for (;;) {
    const nowMs = deps.clock.nowMs();
    const keys = await deps.signingKeys.list();
    const bad = findKey(keys, input.kid);
    const { active, next } = activeAndNext(keys);
    const wasActive = bad.state === "active";
    const plan: Rotation = {
      active: wasActive ? next.kid : active.kid,
      next: bad.state === "retiring" ? next.kid : null,
      retiring: null,
      removed: bad.kid,
      warnings: [
        ...(bad.state === "next" ? [] : [outsidersBelieve(bad, nowMs)]),
        ...(wasActive && nowMs < safeToActivateAtMs(next) ? [breaksVerifiers(next)] : []),
      ],
    };
    if (input.dryRun) return plan;
    if (minted === null && bad.state !== "retiring") {
      // That takes its time, so look again: what is written must be true when it is written.
      minted = await deps.mintSigningKey();
      continue;
    }
    const successor = minted === null || bad.state === "retiring" ? null : asNext(minted, nowMs);
    const outcome = await deps.signingKeys.drop({
      kid: bad.kid,
      state: bad.state,
      nextKid: wasActive ? next.kid : null,
      successor,
      nowMs,
    });
    if (outcome === "done") return { ...plan, next: plan.next ?? successor?.kid ?? null };
  }
}

function outsidersBelieve(bad: SigningKey, nowMs: number): string {
  const until = isoInstant(nowMs + propagationMs + keySetLifetimeMs);
  return (
    `Every token that ${bad.kid} signed stops working here within ${propagationMs / 1000} s; clients get a new one. Other ` +
    `verifiers, with a cached key set, may believe forged ones until ${until}, unless they are told to fetch it again.`
  );
}
