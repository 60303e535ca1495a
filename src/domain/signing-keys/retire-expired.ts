import type { Clock } from "../clock.ts";
import { removedAtMs } from "./lifetimes.ts";
import type { SigningKeyStore } from "./signing-key.ts";

/** Removes the retiring keys whose time is over; answers how many. */
export async function retireExpiredKeys(deps: {
  signingKeys: SigningKeyStore;
  clock: Clock;
}): Promise<number> {
  const nowMs = deps.clock.nowMs();
  const expired = (await deps.signingKeys.list()).filter((key) => {
    const dueAtMs = removedAtMs(key);
    return key.state === "retiring" && dueAtMs !== null && nowMs >= dueAtMs;
  });
  if (expired.length === 0) return 0;
  return deps.signingKeys.remove(expired.map(({ kid }) => kid));
}
