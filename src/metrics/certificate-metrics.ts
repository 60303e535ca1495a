import { Gauge, Registry } from "prom-client";
import type { CertificateExpiry } from "../domain/providers/certificate-expiry.ts";

/** More tenants have no series of their own: those whose certificates end soonest have. */
const most = 50;

/** Certificates change once a year, and all tenants are gone through for them. */
const rereadMs = 3_600_000;

/** Whoever scrapes gives up after some ten seconds, and the other metrics must not be late for these. */
const patienceMs = 2000;

/** When the certificates of Apple Wallet end, as they were read within the last hour. */
export function createCertificateMetrics(
  read: (most: number) => Promise<readonly CertificateExpiry[]>,
  nowMs: () => number,
) {
  const registry = new Registry();
  const gauge = new Gauge({
    name: "passwright_apple_certificate_expires_timestamp_seconds",
    help: "When a tenant's Pass Type ID certificate, or the intermediate above it if that is earlier, ends; of the 50 that end soonest",
    labelNames: ["tenant", "pass_type"],
    registers: [registry],
  });
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  function reread(): Promise<void> {
    reading ??= read(most)
      .then(
        (soonest) => {
          readAtMs = nowMs();
          gauge.reset();
          for (const { tenantId, passTypeIdentifier, endsAtMs } of soonest) {
            gauge.set({ tenant: tenantId, pass_type: passTypeIdentifier }, endsAtMs / 1000);
          }
        },
        // What was read before stays true; the next scrape tries again.
        () => {},
      )
      .finally(() => {
        reading = null;
      });
    return reading;
  }

  return {
    async text(): Promise<string> {
      if (nowMs() - readAtMs >= rereadMs) {
        const late = Promise.withResolvers<void>();
        const timer = setTimeout(late.resolve, patienceMs);
        await Promise.race([reread(), late.promise]);
        clearTimeout(timer);
      }
      return registry.metrics();
    },
  };
}
