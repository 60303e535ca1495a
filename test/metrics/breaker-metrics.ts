import t from "tap";
import { createBreakerMetrics } from "../../src/metrics/breaker-metrics.ts";

t.test("open breakers and parked deliveries are shown as they are at the moment", async (t) => {
  let depth = { open: 2, parked: 70 };
  const metrics = createBreakerMetrics(async () => depth);
  t.match(await metrics.text(), /^passwright_webhook_breakers_open 2$/m);
  t.match(await metrics.text(), /^passwright_webhook_deliveries_parked 70$/m);
  depth = { open: 0, parked: 0 };
  t.match(await metrics.text(), /^passwright_webhook_breakers_open 0$/m);
});

t.test("while they cannot be read they are absent, and not zero", async (t) => {
  const metrics = createBreakerMetrics(() => Promise.reject(new Error("away")));
  t.equal(await metrics.text(), "");
});
