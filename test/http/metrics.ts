import t from "tap";
import { createHttpMetrics } from "../../src/http/metrics.ts";

t.test("requests are counted by method, route and status, and timed", async (t) => {
  const metrics = createHttpMetrics();
  const fact = { method: "GET", route: "/api/v1/passes/{id}", status: 200, seconds: 0.003 };
  metrics.observe(fact);
  metrics.observe(fact);
  metrics.observe({ ...fact, status: 404, seconds: 30 });
  const text = await metrics.text();
  const lines = text.split("\n");
  const labels = 'method="GET",route="/api/v1/passes/{id}"';
  t.ok(lines.includes(`passwright_http_requests_total{${labels},status="200"} 2`));
  t.ok(lines.includes(`passwright_http_requests_total{${labels},status="404"} 1`));
  t.ok(lines.includes(`passwright_http_request_seconds_count{${labels}} 3`));
  t.ok(lines.includes(`passwright_http_request_seconds_bucket{le="0.005",${labels}} 2`));
  t.match(text, /^passwright_process_cpu_seconds_total /m);
});
