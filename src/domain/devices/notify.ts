import type { Clock } from "../clock.ts";
import { PasswrightError } from "../errors.ts";
import type { DeviceStore, Registration, Told } from "./device.ts";
import type { PushAnswer, PushToDevice } from "./push.ts";

/** How many devices came to what. */
export type Notified = { sent: number; gone: number; refused: number };

export type ChangedPass = { tenantId: string; passId: string; change: number };

type Later = Extract<PushAnswer, { outcome: "later" }>;

/**
 * Tells all devices of a pass that it has changed, some at a time, however many there are. Repeated after a failure, it goes
 * on with those that were not told. Rejects with provider_unavailable where some are left, with provider_credentials_invalid,
 * or with the signal's reason.
 */
export async function notifyDevices(
  deps: { devices: Pick<DeviceStore, "page" | "told">; clock: Clock },
  { tenantId, passId, change, push }: ChangedPass & { push: PushToDevice | null },
  signal: AbortSignal,
): Promise<Notified> {
  const counts = { sent: 0, gone: 0, refused: 0 };
  // What never changed is on every device as it is.
  if (push === null || change === 0) return counts;
  const left: Later[] = [];
  let cursor: string | null = null;
  do {
    signal.throwIfAborted();
    const page = await deps.devices.page({ tenantId, passId }, cursor);
    const untold = page.registrations.filter(({ toldOf }) => toldOf < change);
    const { told, failure } = await pushAll(untold, push, signal);
    for (const { answer } of told) {
      if (answer.outcome === "later") left.push(answer);
      else counts[answer.outcome] += 1;
    }
    // What was done counts, whatever ended the rest.
    const settled = told.filter(({ answer }) => answer.outcome !== "later");
    if (settled.length > 0)
      await deps.devices.told({ tenantId, passId, change }, settled, deps.clock.nowMs());
    if (failure !== null) throw failure;
    cursor = page.cursor;
  } while (cursor !== null);
  if (left.length > 0) throw someLeft(left);
  return counts;
}

async function pushAll(
  registrations: readonly Registration[],
  push: PushToDevice,
  signal: AbortSignal,
): Promise<{ told: Told[]; failure: unknown }> {
  const told: Told[] = [];
  let failure: unknown = null;
  const all = registrations.map(async ({ deviceId, pushToken }) => {
    try {
      told.push({ deviceId, pushToken, answer: await push(pushToken, signal) });
    } catch (error) {
      failure ??= error;
    }
  });
  await Promise.all(all);
  return { told, failure };
}

function someLeft(left: readonly Later[]): PasswrightError {
  const asked = left.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
  const devices = left.length === 1 ? "1 device" : `${left.length} devices`;
  return new PasswrightError(
    "provider_unavailable",
    `APNs did not take the push to ${devices}: ${left[0]?.reason ?? ""}.`,
    asked.length > 0 ? { retryAfterSeconds: Math.max(...asked) } : {},
  );
}
