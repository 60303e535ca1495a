import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import { type CallbackOutcome, callbackOutcomes } from "../domain/callbacks/receive.ts";

export type HttpMetrics = {
  /** `route` is the pattern, never the path: labels must be few. */
  observe(facts: { method: string; route: string; status: number; seconds: number }): void;
  /** What came of a call-back of Google. */
  callback(outcome: CallbackOutcome): void;
  text(): Promise<string>;
};

export function createHttpMetrics(): HttpMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "passwright_" });
  const requests = new Counter({
    name: "passwright_http_requests_total",
    help: "Requests answered",
    labelNames: ["method", "route", "status"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "passwright_http_request_seconds",
    help: "Time from a request's last byte to its answer",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 20],
    registers: [registry],
  });
  const callbacks = new Counter({
    name: "passwright_google_callbacks_total",
    help: "Call-backs of Google, by what came of them",
    labelNames: ["outcome"],
    registers: [registry],
  });
  // From the first on they are counted: an increase is one of a series that is there.
  for (const outcome of callbackOutcomes) callbacks.inc({ outcome }, 0);
  return {
    observe({ method, route, status, seconds }) {
      requests.inc({ method, route, status });
      durations.observe({ method, route, status }, seconds);
    },
    callback: (outcome) => callbacks.inc({ outcome }),
    text: () => registry.metrics(),
  };
}
