import { timingSafeEqual } from "node:crypto";
import { PasswrightError } from "../errors.ts";
import { isUuid } from "../ids.ts";
import type { Pass, PassStore } from "../passes/pass.ts";
import type { ProviderConfigurationStore } from "../providers/configuration.ts";

export type PassOnDevice = { tenantId: string; passTypeIdentifier: string; serialNumber: string };

/**
 * The pass that a device names, if the token is that pass's own. Rejects with invalid_token in every other case, so that
 * nobody learns by trying which passes there are.
 */
export async function authorizedPass(
  deps: {
    passes: Pick<PassStore, "find">;
    providerConfigurations: Pick<ProviderConfigurationStore, "find">;
  },
  { tenantId, passTypeIdentifier, serialNumber }: PassOnDevice,
  authenticationToken: string | null,
): Promise<Pass> {
  if (!isUuid(tenantId) || !isUuid(serialNumber)) throw refusal();
  const [pass, configuration] = await Promise.all([
    deps.passes.find(tenantId, serialNumber),
    deps.providerConfigurations.find(tenantId, "apple"),
  ]);
  const isKnown =
    pass !== null &&
    pass.providers.apple?.saveLink != null &&
    configuration?.summary.pass_type_identifier === passTypeIdentifier;
  if (!isSame(authenticationToken ?? "", pass?.authenticationToken ?? "") || !isKnown) throw refusal();
  return pass;
}

/** Takes as long wherever the difference is. */
function isSame(given: string, own: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(own)];
  return a.length === b.length && a.length > 0 && timingSafeEqual(a, b);
}

function refusal(): PasswrightError {
  return new PasswrightError(
    "invalid_token",
    "There is no such pass, or the token is not its own. Send Authorization: ApplePass TOKEN with the pass's authenticationToken.",
    { challenge: 'ApplePass realm="passwright"' },
  );
}
