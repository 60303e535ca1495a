import { isoInstant } from "../../domain/clock.ts";
import type { Log } from "../../domain/log.ts";
import {
  type CertificateDeps,
  certificateExpiries,
  expiryThreshold,
  firstOfEach,
} from "../../domain/providers/certificate-expiry.ts";
import type { ScheduledTask } from "../scheduler.ts";

const dayMs = 86_400_000;

/** Says once a day of each tenant whose Apple certificate, or the intermediate above it, is about to end, that it is. */
export function warnOfExpiry(deps: CertificateDeps & { log: Log }): ScheduledTask {
  return {
    name: "warn-of-expiry",
    cron: "40 6 * * *",
    async run(signal) {
      const counts = { notice: 0, warning: 0, critical: 0 };
      for await (const some of certificateExpiries(deps)) {
        if (signal.aborted) break;
        for (const { tenantId, passTypeIdentifier, certificate, endsAtMs } of firstOfEach(some)) {
          const leftMs = endsAtMs - deps.clock.nowMs();
          const threshold = expiryThreshold(leftMs);
          if (threshold === null) continue;
          counts[threshold.urgency] += 1;
          deps.log[threshold.urgency === "critical" ? "error" : "warn"](
            {
              tenant: tenantId,
              pass_type: passTypeIdentifier,
              certificate,
              expires_at: isoInstant(endsAtMs),
              days_left: Math.floor(leftMs / dayMs),
              threshold: threshold.days,
            },
            "certificate.ending",
          );
        }
      }
      return counts;
    },
  };
}
