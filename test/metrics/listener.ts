import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import t from "tap";
import { type Health, serveMetrics, serveMetricsIfPossible } from "../../src/metrics/listener.ts";
import { readableLog } from "../support/log.ts";

const metrics = { text: async () => "up 1\n" };
const monitoring = await serveMetrics(metrics, { host: "127.0.0.1", port: 0 });
t.teardown(() => monitoring.close());

t.test("the answer is the Prometheus text format, at /metrics and nowhere else", async (t) => {
  const answer = await fetch(monitoring.url);
  t.equal(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  t.equal(await answer.text(), "up 1\n");
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

t.test("metrics that cannot be made are a 500, and the next ones are served", async (t) => {
  let broken = true;
  const text = async () => {
    if (broken) throw new Error("no metrics now");
    return "up 1\n";
  };
  const flaky = await serveMetrics({ text }, { host: "127.0.0.1", port: 0 });
  t.teardown(() => flaky.close());
  t.equal((await fetch(flaky.url)).status, 500);
  broken = false;
  t.equal((await fetch(flaky.url)).status, 200);
});

t.test("who knows its health says it at /healthz: 200 when it is well, 503 when not", async (t) => {
  let health: Health = { healthy: true, facts: { status: "ok" } };
  const watched = await serveMetrics({ ...metrics, health: () => health }, { host: "127.0.0.1", port: 0 });
  t.teardown(() => watched.close());
  const ask = async () => {
    const answer = await fetch(new URL("/healthz", watched.url));
    return [answer.status, answer.headers.get("content-type"), await answer.json()];
  };
  t.strictSame(await ask(), [200, "application/json", { status: "ok" }]);
  health = { healthy: false, facts: { status: "stalled" } };
  t.strictSame(await ask(), [503, "application/json", { status: "stalled" }]);
});

t.test("who must start in any case gets another port where its own is taken, and a warning", async (t) => {
  const { port } = new URL(monitoring.url);
  const log = readableLog();
  const other = await serveMetricsIfPossible(metrics, { host: "127.0.0.1", port: Number(port) }, log);
  t.teardown(() => other?.close());
  t.not(other?.url, monitoring.url);
  t.equal((await fetch(other?.url ?? "")).status, 200);
  t.match(log.lines, [{ level: "warn", event: "metrics.checked" }]);
  t.match(
    log.of("metrics.checked")[0]?.warning,
    `on 127.0.0.1:${port}. They are at ${other?.url}: give each`,
  );
});

t.test("on a host that is not this machine's it goes without, and says so", async (t) => {
  const log = readableLog();
  // TEST-NET-1 of RFC 5737: nobody's address.
  t.equal(await serveMetricsIfPossible(metrics, { host: "192.0.2.1", port: 9465 }, log), null);
  t.match(log.of("metrics.checked")[0]?.warning, /on 192\.0\.2\.1:9465\. Nothing serves them/);
});
