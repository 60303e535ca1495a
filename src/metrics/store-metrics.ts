import { Histogram, Registry } from "prom-client";

type RoundTripListener = (seconds: number, answered: boolean) => void;

/** How long Redis takes to answer this process. `watch` tells of every command. */
export function createStoreMetrics(watch: (listener: RoundTripListener) => void) {
  const registry = new Registry();
  const roundTrips = new Histogram({
    name: "passwright_redis_seconds",
    help: "From sending a command to Redis to its answer, or to giving it up",
    labelNames: ["outcome"],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
    registers: [registry],
  });
  // A rate needs the zero before the first event.
  for (const outcome of ["answered", "failed"]) roundTrips.zero({ outcome });
  watch((seconds, answered) => roundTrips.observe({ outcome: answered ? "answered" : "failed" }, seconds));
  return { text: () => registry.metrics() };
}
