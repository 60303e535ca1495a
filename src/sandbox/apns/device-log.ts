import { randomUUID } from "node:crypto";
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
  /**
   * A device's pushes behind a cursor: as soon as there are any, or none once `waited` has aborted. The first cursor is null; one
   * of before a restart counts as that.
   */
  pushesTo(
    token: string,
    after: string | null,
    waited: AbortSignal,
  ): Promise<{ pushes: Push[]; cursor: string }>;
};

const kept = 10_000;

export function createDeviceLog(gone: Journal<number>): DeviceLog {
  const run = randomUUID();
  const waiting = new Map<string, Set<() => void>>();
  let total = 0;
  let recent: Push[] = [];

  /** Those with a number above `known`; the first push of all has number 1. */
  function behind(token: string, known: number): Push[] {
    const first = total - recent.length + 1;
    return recent.slice(Math.max(0, known + 1 - first)).filter((push) => push.token === token);
  }

  return {
    record(push) {
      total += 1;
      recent.push(push);
      for (const wake of waiting.get(push.token) ?? []) wake();
      // Cut now and then, not each time: shifting an array of this length for every push would cost more.
      if (recent.length > 2 * kept) recent = recent.slice(-kept);
    },
    pushes: () => ({ total, notifications: recent.slice(-kept) }),
    goneSinceMs: (token) => gone.get(token),
    setGone(token, sinceMs) {
      if (sinceMs === null) gone.delete(token);
      else gone.set(token, sinceMs);
    },
    async pushesTo(token, after, waited) {
      const [ofRun, number] = after?.split(".") ?? [];
      const known = ofRun === run ? Number(number) : 0;
      if (behind(token, known).length === 0 && !waited.aborted) await nextPush(token, waited);
      return { pushes: behind(token, known), cursor: `${run}.${total}` };
    },
  };

  /** Resolves with the next push to a device, or when the signal aborts. */
  function nextPush(token: string, waited: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wakers = waiting.get(token) ?? new Set();
      const wake = (): void => {
        wakers.delete(wake);
        if (wakers.size === 0) waiting.delete(token);
        waited.removeEventListener("abort", wake);
        resolve();
      };
      waiting.set(token, wakers.add(wake));
      waited.addEventListener("abort", wake, { once: true });
    });
  }
}
