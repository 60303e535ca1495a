import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import t from "tap";
import { createHttpMetrics, serveMetrics } from "../../src/http/metrics.ts";

const metrics = createHttpMetrics();
const monitoring = await serveMetrics(metrics, { host: "127.0.0.1", port: 0 });
t.teardown(() => monitoring.close());

t.test("requests are counted by method, route and status, and timed", async (t) => {
  const fact = { method: "GET", route: "/api/v1/passes/{id}", status: 200, seconds: 0.003 };
  metrics.observe(fact);
  metrics.observe(fact);
  metrics.observe({ ...fact, status: 404, seconds: 30 });
  const text = await (await fetch(monitoring.url)).text();
  const lines = text.split("\n");
  const labels = 'method="GET",route="/api/v1/passes/{id}"';
  t.ok(lines.includes(`passwright_http_requests_total{${labels},status="200"} 2`));
  t.ok(lines.includes(`passwright_http_requests_total{${labels},status="404"} 1`));
  t.ok(lines.includes(`passwright_http_request_seconds_count{${labels}} 3`));
  t.ok(lines.includes(`passwright_http_request_seconds_bucket{le="0.005",${labels}} 2`));
  t.match(text, /^passwright_process_cpu_seconds_total /m);
});

t.test("the answer is the Prometheus text format, at /metrics and nowhere else", async (t) => {
  const answer = await fetch(monitoring.url);
  t.equal(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  for (const path of ["/", "/metrics/", "/healthz", "/../metrics2"]) {
    t.equal((await fetch(new URL(path, monitoring.url))).status, 404, path);
  }
});

t.test("it listens on the address that it was given, IPv6 included", async (t) => {
  const six = await serveMetrics(metrics, { host: "::1", port: 0 });
  t.teardown(() => six.close());
  t.match(six.url, /^http:\/\/\[::1\]:\d+\/metrics$/);
  t.equal((await fetch(six.url)).status, 200);
  const { port } = new URL(six.url);
  await t.rejects(fetch(`http://127.0.0.1:${port}/metrics`), "and on no other");
});

t.test("an address that is taken is an error at the start", async (t) => {
  const taken = createServer();
  await new Promise<void>((ready) => taken.listen(0, "127.0.0.1", ready));
  t.teardown(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  await t.rejects(serveMetrics(metrics, { host: "127.0.0.1", port }), { code: "EADDRINUSE" });
});

t.test("closed, it answers nobody any more", async (t) => {
  const ended = await serveMetrics(metrics, { host: "127.0.0.1", port: 0 });
  await (await fetch(ended.url)).text();
  ended.close();
  await t.rejects(fetch(ended.url));
});
