import { Gauge, Registry } from "prom-client";
import type { BreakerDepth } from "../domain/webhooks/breaker.ts";

/** The breakers of all webhooks, read when they are asked for. While they cannot be read the gauges are absent. */
export function createBreakerMetrics(read: () => Promise<BreakerDepth>) {
  const registry = new Registry();
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `passwright_${name}`, help, registers: [registry] });
  const open = gauge("webhook_breakers_open", "Webhooks whose endpoint keeps failing and is left alone");
  const parked = gauge(
    "webhook_deliveries_parked",
    "Deliveries that wait for their endpoint to answer again",
  );
  return {
    async text(): Promise<string> {
      const depth = await read().catch(() => null);
      if (depth === null) return "";
      open.set(depth.open);
      parked.set(depth.parked);
      return registry.metrics();
    },
  };
}
