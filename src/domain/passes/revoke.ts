import { type ChangeDeps, type ChangeRequest, changePass, requireNotRevoked } from "./change.ts";
import type { AcceptedPass, Pass } from "./pass.ts";
import { findNamed, type PassName } from "./update.ts";

/** Accepts the revocation of a pass: each of its wallets voids it. No way back, and no new version. */
export function revokePass(
  deps: ChangeDeps,
  request: ChangeRequest & { name: PassName },
): Promise<AcceptedPass> {
  const find = (): Promise<Pass | null> => findNamed(deps, request.tenantId, request.name);
  return changePass(deps, request, find, {
    kind: "revoke",
    async change(pass) {
      requireNotRevoked(pass);
      const nowMs = deps.clock.nowMs();
      const providers: Pass["providers"] = {};
      for (const [wallet, entry] of Object.entries(pass.providers)) {
        providers[wallet as keyof typeof providers] = {
          ...entry,
          status: "queued",
          error: null,
          updatedAtMs: nowMs,
        };
      }
      return { pass: { ...pass, status: "revoking", providers } };
    },
  });
}
