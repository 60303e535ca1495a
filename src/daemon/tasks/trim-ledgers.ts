import type { Clock } from "../../domain/clock.ts";
import type { LedgerRetention } from "../../domain/credits/ledger.ts";
import type { EventRetention } from "../../domain/events/event.ts";
import type { ScheduledTask } from "../scheduler.ts";

type Deps = {
  eventRetention: Pick<EventRetention, "tenants">;
  ledgerRetention: LedgerRetention;
  /** Null: entries stay for ever. */
  ledgerRetentionMs: number | null;
  clock: Clock;
};

/** Lets go of entries of ledgers that are older than the retention, a bounded number at a time. */
export function trimLedgers(deps: Deps): ScheduledTask {
  return {
    name: "trim-ledgers",
    cron: "40 3 * * *",
    async run(signal) {
      let entries = 0;
      if (deps.ledgerRetentionMs === null) return { entries };
      const beforeMs = deps.clock.nowMs() - deps.ledgerRetentionMs;
      for await (const tenantId of deps.eventRetention.tenants()) {
        let trimmed = 0;
        do {
          if (signal.aborted) return { entries };
          trimmed = await deps.ledgerRetention.trim(tenantId, beforeMs);
          entries += trimmed;
        } while (trimmed > 0);
      }
      return { entries };
    },
  };
}
