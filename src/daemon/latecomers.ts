import { tellLatecomers } from "../domain/devices/tell-latecomers.ts";
import type { Log } from "../domain/log.ts";
import type { RunOnce } from "./loop.ts";

/** So soon somebody who registered just after a change is told of it. */
const roundMs = 500;

/** APNs has so long for a round; what it has not answered comes again. */
const patienceMs = 20_000;

/** Tells phones that came too late for a change's pushes. */
export function tendLatecomers(deps: Parameters<typeof tellLatecomers>[0] & { log: Log }): RunOnce {
  return async () => {
    const { told, left, hasMore, fault } = await tellLatecomers(deps, AbortSignal.timeout(patienceMs));
    if (left > 0) deps.log.warn({ told, left, ...(fault !== null && { err: fault }) }, "latecomers.told");
    else if (told > 0) deps.log.info({ told }, "latecomers.told");
    return hasMore ? 0 : roundMs;
  };
}
