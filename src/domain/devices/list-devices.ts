import type { CallbackStore, WalletStanding } from "../callbacks/callback.ts";
import { isoInstant } from "../clock.ts";
import { PasswrightError } from "../errors.ts";
import type { PassStore } from "../passes/pass.ts";
import type { DeviceStore, RegistrationFacts } from "./device.ts";

/**
 * How a pass reached the phones that have it: `most` of them, and how many there are; and whether Google Wallet has it, null
 * where Google has said nothing. Rejects with not_found where there is no such pass.
 */
export async function listDevices(
  deps: {
    passes: Pick<PassStore, "find">;
    devices: Pick<DeviceStore, "facts">;
    callbacks: Pick<CallbackStore, "standing">;
  },
  { tenantId, passId, most }: { tenantId: string; passId: string; most: number },
): Promise<{ devices: RegistrationFacts[]; total: number; google: WalletStanding | null }> {
  const pass = await deps.passes.find(tenantId, passId);
  if (pass === null) throw new PasswrightError("not_found", `The tenant has no pass ${passId}.`);
  const [facts, google] = await Promise.all([
    deps.devices.facts({ tenantId, passId }, most),
    deps.callbacks.standing({ tenantId, passId }),
  ]);
  return { ...facts, google };
}

/** As commands show it. A phone that has removed the pass is not there any more. */
export function deviceResource({ deviceId, ...facts }: RegistrationFacts) {
  return {
    wallet: "apple",
    device_id: deviceId,
    registered_at: isoInstant(facts.registeredAtMs),
    pushed_at: instant(facts.pushedAtMs),
    refused: facts.refusal,
    listed_at: instant(facts.listedAtMs),
    fetched_at: instant(facts.fetchedAtMs),
    removed_at: null,
  };
}

/** Google Wallet among the devices: it shows what it was given on all of them, and says of none which it is. */
export function googleResource({ savedAtMs, removedAtMs }: WalletStanding) {
  return {
    wallet: "google",
    device_id: "google-wallet",
    registered_at: instant(savedAtMs),
    pushed_at: null,
    refused: null,
    listed_at: null,
    fetched_at: null,
    removed_at: instant(removedAtMs),
  };
}

function instant(ms: number | null): string | null {
  return ms === null ? null : isoInstant(ms);
}
