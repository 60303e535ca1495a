import type { Clock } from "../clock.ts";
import type { ProviderConfigurationStore } from "../providers/configuration.ts";
import type { AppleCredentials, Provider } from "../providers/provider.ts";
import type { DeviceStore, Latecomer } from "./device.ts";
import { pushing } from "./push.ts";

type Deps = {
  devices: Pick<DeviceStore, "takeLatecomers" | "told">;
  providerConfigurations: Pick<ProviderConfigurationStore, "credentials">;
  providers: { apple: Pick<Provider<AppleCredentials>, "push"> };
  clock: Clock;
};

/** How many were told, how many could not be and come again later, with the first fault; and whether more wait now. */
export type ToldLatecomers = { told: number; left: number; hasMore: boolean; fault: unknown };

/**
 * Tells devices that registered for a pass just after it changed, which those who were told then did not include. Repeated until
 * nobody waits, nobody is missed; told twice is who was pushed to by somebody that died before it was written.
 */
export async function tellLatecomers(deps: Deps, signal: AbortSignal): Promise<ToldLatecomers> {
  const { latecomers, hasMore } = await deps.devices.takeLatecomers(deps.clock.nowMs());
  const groups = Map.groupBy(latecomers, ({ tenantId }) => tenantId);
  const faults: unknown[] = [];
  let told = 0;
  for (const [tenantId, group] of groups) {
    const credentials = await deps.providerConfigurations.credentials(tenantId, "apple");
    const { push } = credentials === null ? { push: null } : pushing(deps.providers.apple, credentials);
    if (push === null) continue;
    const outcomes = await Promise.allSettled(group.map((latecomer) => tell(deps, latecomer, push, signal)));
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") faults.push(outcome.reason);
      else if (outcome.value) told += 1;
    }
  }
  return { told, left: latecomers.length - told, hasMore, fault: faults[0] ?? null };
}

/** False: APNs does not take it now. */
async function tell(
  { devices, clock }: Deps,
  { deviceId, pushToken, ...pass }: Latecomer,
  push: NonNullable<ReturnType<typeof pushing>["push"]>,
  signal: AbortSignal,
): Promise<boolean> {
  const answer = await push(pushToken, signal);
  if (answer.outcome === "later") return false;
  await devices.told(pass, [{ deviceId, pushToken, answer }], clock.nowMs());
  return true;
}
