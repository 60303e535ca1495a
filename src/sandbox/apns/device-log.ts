import type { Journal } from "../journal.ts";

export type Push = {
  apns_id: string;
  token: string;
  topic: string;
  priority: string | null;
  push_type: string | null;
  payload: unknown;
  at: string;
};

export type DeviceLog = {
  record(push: Push): void;
  /** The accepted pushes, oldest first: at most the last 10,000 since start; `total` counts them all. */
  pushes(): { total: number; notifications: Push[] };
  /** Since when (ms) a token has been out of use, or undefined. */
  goneSinceMs(token: string): number | undefined;
  /** Scripts `410 Unregistered` for a token, or ends it with null. Survives a restart. */
  setGone(token: string, sinceMs: number | null): void;
};

const kept = 10_000;

export function createDeviceLog(gone: Journal<number>): DeviceLog {
  let total = 0;
  let recent: Push[] = [];
  return {
    record(push) {
      total += 1;
      recent.push(push);
      // Cut now and then, not each time: shifting an array of this length for every push would cost more.
      if (recent.length > 2 * kept) recent = recent.slice(-kept);
    },
    pushes: () => ({ total, notifications: recent.slice(-kept) }),
    goneSinceMs: (token) => gone.get(token),
    setGone(token, sinceMs) {
      if (sinceMs === null) gone.delete(token);
      else gone.set(token, sinceMs);
    },
  };
}
