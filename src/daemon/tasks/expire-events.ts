import type { Clock } from "../../domain/clock.ts";
import type { EventRetention } from "../../domain/events/event.ts";
import type { ScheduledTask } from "../scheduler.ts";

type Deps = { eventRetention: EventRetention; eventRetentionMs: number; clock: Clock };

/**
 * Lets go of events that are older than the retention, tenant by tenant, in steps that each stand by themselves: a run
 * that is cut short has done what it has done, and the next one does the rest.
 */
export function expireEvents({ eventRetention, eventRetentionMs, clock }: Deps): ScheduledTask {
  return {
    name: "expire-events",
    cron: "20 3 * * *",
    async run(signal) {
      const beforeMs = clock.nowMs() - eventRetentionMs;
      let events = 0;
      for await (const tenantId of eventRetention.tenants()) {
        let more = true;
        while (more && !signal.aborted) {
          const step = await eventRetention.expire(tenantId, beforeMs);
          events += step.expired;
          more = step.more;
        }
        if (signal.aborted) break;
      }
      return { events };
    },
  };
}
