import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { RefusalReason } from "./callback.ts";

export type RefusalFacts = { tenant: string; reason: RefusalReason; detail: string; trace_id: string };

export type RefusalLog = { note(facts: RefusalFacts): void };

const spanMs = 60_000;
const mostPerSpan = 20;

/**
 * Logs refused call-backs, 20 a minute: anybody may send any number, and none may fill a disk. The first line of a later
 * minute says how many were left out.
 */
export function createRefusalLog({ log, clock }: { log: Log; clock: Clock }): RefusalLog {
  let span = { sinceMs: 0, lines: 0, leftOut: 0 };
  return {
    note(facts) {
      const nowMs = clock.nowMs();
      const isOver = nowMs - span.sinceMs >= spanMs;
      const { leftOut } = span;
      if (isOver) span = { sinceMs: nowMs, lines: 0, leftOut: 0 };
      if (span.lines >= mostPerSpan) {
        span.leftOut += 1;
        return;
      }
      span.lines += 1;
      log.warn({ ...facts, ...(isOver && leftOut > 0 && { left_out: leftOut }) }, "callback.refused");
    },
  };
}
