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
  const found = `${labels},status="200"`;
  t.ok(lines.includes(`passwright_http_requests_total{${found}} 2`));
  t.ok(lines.includes(`passwright_http_requests_total{${labels},status="404"} 1`));
  t.ok(lines.includes(`passwright_http_request_seconds_count{${found}} 2`));
  t.ok(lines.includes(`passwright_http_request_seconds_bucket{le="0.005",${found}} 2`));
  t.ok(lines.includes(`passwright_http_request_seconds_sum{${labels},status="404"} 30`));
  t.match(text, /^passwright_process_cpu_seconds_total /m);
});

t.test("call-backs are counted by what came of them", async (t) => {
  const metrics = createHttpMetrics();
  for (const outcome of ["saved", "saved", "wrong_signature"] as const) metrics.callback(outcome);
  const lines = (await metrics.text()).split("\n");
  t.ok(lines.includes('passwright_google_callbacks_total{outcome="saved"} 2'));
  t.ok(lines.includes('passwright_google_callbacks_total{outcome="wrong_signature"} 1'));
  t.ok(lines.includes('passwright_google_callbacks_total{outcome="removed"} 0'), "and before there is any");
});
