import type { Clock } from "../../domain/clock.ts";
import { retireExpiredKeys } from "../../domain/signing-keys/retire-expired.ts";
import { rotateKeyWhenDue } from "../../domain/signing-keys/rotate-when-due.ts";
import type { SigningKeyMint, SigningKeyStore } from "../../domain/signing-keys/signing-key.ts";
import type { ScheduledTask } from "../scheduler.ts";

type Deps = { signingKeys: SigningKeyStore; mintSigningKey: SigningKeyMint; clock: Clock };

/** Removes retiring keys whose time is over, and rotates when that is due; `intervalMs` null: operators rotate. */
export function tendSigningKeys(deps: Deps, intervalMs: number | null): ScheduledTask {
  return {
    name: "tend-signing-keys",
    cron: "7 * * * *",
    async run() {
      // In this order: what goes makes room for what comes.
      const removed = await retireExpiredKeys(deps);
      const rotated = intervalMs !== null && (await rotateKeyWhenDue(deps, intervalMs));
      return { removed, rotated: rotated ? 1 : 0 };
    },
  };
}
