import { isoInstant } from "../clock.ts";
import { PasswrightError } from "../errors.ts";
import type { PassStore } from "../passes/pass.ts";
import type { DeviceStore, RegistrationFacts } from "./device.ts";

/**
 * How a pass reached the phones that have it: `most` of them, and how many there are. Rejects with not_found where there is no
 * such pass.
 */
export async function listDevices(
  deps: { passes: Pick<PassStore, "find">; devices: Pick<DeviceStore, "facts"> },
  { tenantId, passId, most }: { tenantId: string; passId: string; most: number },
): Promise<{ devices: RegistrationFacts[]; total: number }> {
  const pass = await deps.passes.find(tenantId, passId);
  if (pass === null) throw new PasswrightError("not_found", `The tenant has no pass ${passId}.`);
  return deps.devices.facts({ tenantId, passId }, most);
}

/** As commands show it. */
export function deviceResource({ deviceId, ...facts }: RegistrationFacts) {
  const instant = (ms: number | null): string | null => (ms === null ? null : isoInstant(ms));
  return {
    device_id: deviceId,
    registered_at: isoInstant(facts.registeredAtMs),
    pushed_at: instant(facts.pushedAtMs),
    refused: facts.refusal,
    listed_at: instant(facts.listedAtMs),
    fetched_at: instant(facts.fetchedAtMs),
  };
}
