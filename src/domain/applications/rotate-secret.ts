import type { Clock } from "../clock.ts";
import { invalidRequest } from "../errors.ts";
import type { Application, ApplicationStore, SecretHasher, StoredSecret } from "./application.ts";
import { findApplication } from "./find.ts";
import { newSecret, secretHint } from "./secret.ts";

/** How long the secret of before stays valid, where nothing else is said. */
export const defaultGraceMs = 24 * 60 * 60 * 1000;
const longestGraceMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Gives an application a new secret, which is in the answer only. The one of before stays valid for `graceMs` (0: ends at
 * once), and no longer than it would have; there are never more than two, so one that was older still ends now. `previous`
 * is the secret of before, null where it has ended; `ended` is how many were valid before and are not any more.
 */
export async function rotateSecret(
  deps: {
    applications: ApplicationStore;
    hasher: SecretHasher;
    peppers: readonly [Buffer, ...Buffer[]];
    clock: Clock;
  },
  input: { tenantId: string; id: string; graceMs: number },
): Promise<{
  application: Application;
  secret: string;
  previous: StoredSecret | null;
  ended: number;
}> {
  if (!Number.isFinite(input.graceMs) || input.graceMs < 0 || input.graceMs > longestGraceMs) {
    throw invalidRequest([{ path: "--grace", message: "must be 0s to 30d" }]);
  }
  await findApplication(deps, input);
  const secret = newSecret(deps.peppers[0]);
  const hash = await deps.hasher.hash(secret);
  for (;;) {
    const application = await findApplication(deps, input);
    const nowMs = deps.clock.nowMs();
    const valid = application.secrets.filter(
      ({ expiresAtMs }) => expiresAtMs === null || expiresAtMs > nowMs,
    );
    const [newest] = valid;
    const previous =
      newest === undefined || input.graceMs === 0
        ? null
        : { ...newest, expiresAtMs: Math.min(newest.expiresAtMs ?? Infinity, nowMs + input.graceMs) };
    const fresh: StoredSecret = { hash, hint: secretHint(secret), createdAtMs: nowMs, expiresAtMs: null };
    const secrets = previous === null ? [fresh] : [fresh, previous];
    const outcome = await deps.applications.replaceSecrets(application, secrets);
    // Somebody else has rotated at the same moment: theirs is the secret of before, then.
    if (outcome !== "replaced") continue;
    const ended = valid.length - (previous === null ? 0 : 1);
    return { application: { ...application, secrets }, secret, previous, ended };
  }
}
