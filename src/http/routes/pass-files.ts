import { PasswrightError } from "../../domain/errors.ts";
import type { Pass } from "../../domain/passes/pass.ts";
import { templateOfPass } from "../../domain/templates/find.ts";
import type { ServingDeps } from "../serving.ts";

export const passFileHeaders = {
  "Content-Type": "application/vnd.apple.pkpass",
  "Content-Disposition": 'attachment; filename="pass.pkpass"',
  "Cache-Control": "private, no-cache",
};

/** From the moment of the revocation, whatever the wallets still have to do. */
export function isRevoked({ status }: Pick<Pass, "status">): boolean {
  return status === "revoking" || status === "revoked";
}

/** The signed .pkpass of a pass as it is now, void once it is revoked. Rejects with unavailable when it cannot be made. */
export async function passFile(deps: ServingDeps, pass: Pass): Promise<Buffer> {
  const credentials = await deps.providerConfigurations.credentials(pass.tenantId, "apple");
  if (credentials === null) throw unbuildable();
  try {
    const template = await templateOfPass(deps, pass);
    const voided = isRevoked(pass);
    return await deps.passFile.build({ pass, template, baseUrl: deps.baseUrl, voided }, credentials);
  } catch (cause) {
    throw unbuildable(cause);
  }
}

/** Whoever opens a pass can do nothing about its issuer's certificate. */
function unbuildable(cause?: unknown): PasswrightError {
  return new PasswrightError("unavailable", "The pass cannot be made at the moment. Try again later.", {
    retryAfterSeconds: 60,
    ...(cause !== undefined && { cause }),
  });
}
