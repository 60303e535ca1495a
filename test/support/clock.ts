import type { Clock } from "../../src/domain/clock.ts";

export type SettableClock = Clock & { setTo(instant: number | string): void; forward(ms: number): void };

/** A clock that stands still until a test moves it. Instants are milliseconds or ISO 8601. */
export function settableClock(start: number | string = "2026-11-21T06:43:46.625Z"): SettableClock {
  let ms = new Date(start).getTime();
  return {
    nowMs: () => ms,
    setTo(instant) {
      ms = new Date(instant).getTime();
    },
    forward(by) {
      ms += by;
    },
  };
}
