import { createServer } from "node:http";
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";

export type HttpMetrics = {
  /** `route` is the pattern, never the path: labels must be few. */
  observe(facts: { method: string; route: string; status: number; seconds: number }): void;
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
    labelNames: ["method", "route"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 20],
    registers: [registry],
  });
  return {
    observe({ method, route, status, seconds }) {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
    },
    text: () => registry.metrics(),
  };
}

/** Serves Prometheus on an address of its own, so that it is not public by accident. */
export async function serveMetrics(metrics: HttpMetrics, address: { host: string; port: number }) {
  const server = createServer(async (request, response) => {
    if (request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" });
    response.end(await metrics.text());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(address.port, address.host, resolve);
  });
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : address.port;
  const host = address.host.includes(":") ? `[${address.host}]` : address.host;
  return {
    url: `http://${host}:${port}/metrics`,
    close: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
}
