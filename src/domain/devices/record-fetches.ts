import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Caller, DeviceStore } from "./device.ts";

/** Fetches that are being written at a time. More come only while the store is slower than the devices. */
const mostInFlight = 500;

export type FetchRecorder = {
  /** Notes that a device has fetched a pass, and does not keep it waiting for that. */
  fetched(pass: { tenantId: string; id: string }, caller: Caller): void;
  /** Resolves when nothing is being written. */
  settled(): Promise<void>;
};

/** What cannot be written is logged, and lost: the device has the pass all the same. */
export function createFetchRecorder(deps: {
  devices: Pick<DeviceStore, "fetched">;
  clock: Clock;
  log: Log;
}): FetchRecorder {
  const inFlight = new Set<Promise<void>>();
  return {
    fetched({ tenantId, id: passId }, caller) {
      if (inFlight.size >= mostInFlight) return;
      const write = deps.devices
        .fetched({ tenantId, passId, caller }, deps.clock.nowMs())
        .catch((error) => deps.log.warn({ pass_id: passId, err: error }, "fetch.unrecorded"))
        .finally(() => inFlight.delete(write));
      inFlight.add(write);
    },
    async settled() {
      await Promise.all(inFlight);
    },
  };
}
