import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { callbackOutcomes } from "../../src/domain/callbacks/receive.ts";
import { createHttpMetrics } from "../../src/http/metrics.ts";
import { createBreakerMetrics } from "../../src/metrics/breaker-metrics.ts";
import { createCertificateMetrics } from "../../src/metrics/certificate-metrics.ts";
import { createProcessMetrics } from "../../src/metrics/process-metrics.ts";
import { createQueueMetrics } from "../../src/metrics/queue-metrics.ts";
import { createStoreMetrics } from "../../src/metrics/store-metrics.ts";
import { createWorkMetrics } from "../../src/metrics/work-metrics.ts";
import { textOf } from "./markdown.ts";

const none = { ready: 0, active: 0, delayed: 0, deadLetters: 0, oldestReadyMs: 0 };
const texts = await Promise.all([
  createHttpMetrics().text(),
  createStoreMetrics(() => {}).text(),
  createWorkMetrics({ nowMs: () => 0, sinceTurnMs: () => 0 }).text(),
  createProcessMetrics({ ready: () => 0, deaths: () => 0, metrics: async () => [] }).text(),
  createBreakerMetrics(async () => ({ open: 0, parked: 0 })).text(),
  createCertificateMetrics(
    async () => [],
    () => 0,
  ).text(),
  createQueueMetrics(
    async () => ({
      classes: { interactive: none, webhooks: none, bulk: none },
      fullest: { waiting: 0, deadLetters: 0 },
      outbox: { events: 0, oldestMs: 0 },
    }),
    { waiting: 1, deadLetters: 1 },
  ).text(),
]);
/** Name and type of every metric that a process shows. */
const metrics = new Map(
  [...texts.join("\n").matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => [name, type]),
);
const ours = [...metrics.keys()].filter((name) => !/^passwright_(?:nodejs|process)_/.test(name));

const rules = textOf("deploy/prometheus/passwright.rules.yml") ?? "";
const operations = textOf("docs/operations.md") ?? "";

/** The metrics that a text names and nobody shows. A histogram is three series. */
function unknownIn(text: string): string[] {
  return [...text.matchAll(/\bpasswright_[a-z0-9_]*[a-z0-9]\b(?!_)/g)]
    .map(([name]) => name)
    .filter((name) => {
      const histogram = name.replace(/_(?:bucket|sum|count)$/, "");
      return !metrics.has(name) && metrics.get(histogram) !== "histogram";
    });
}

t.test("every metric that an alert rule names exists", async (t) => {
  t.ok(rules.includes("passwright_"), "there are rules");
  t.strictSame(unknownIn(rules), []);
  t.strictSame(unknownIn("passwright_queue_redy > 0 or passwright_queue_ready_sum"), [
    "passwright_queue_redy",
    "passwright_queue_ready_sum",
  ]);
  t.strictSame(unknownIn("rate(passwright_work_done_seconds_bucket[5m])"), []);
});

t.test("every alert says for whom it is, and what has happened", async (t) => {
  const alerts = rules.split(/^ {6}- alert: /m).slice(1);
  t.ok(alerts.length > 0);
  for (const alert of alerts) {
    const [name = ""] = alert.split("\n");
    t.match(alert, /^ {8}expr: \S/m, name);
    t.match(alert, /^ {10}severity: (?:critical|warning)$/m, name);
    t.match(alert, /^ {10}summary: \S/m, name);
    t.ok(operations.includes(`\`${name}\``), `docs/operations.md says what to do about ${name}`);
  }
});

t.test("what rules and dashboard ask of call-backs are outcomes that there are", async (t) => {
  const dashboard = (textOf("deploy/grafana/passwright.json") ?? "").replaceAll('\\"', '"');
  const asked = [
    ...`${rules}${dashboard}`.matchAll(/passwright_google_callbacks_total\{outcome[=!]~"([^"]+)"/g),
  ].flatMap(([, outcomes = ""]) => outcomes.split("|"));
  t.ok(asked.length > 10);
  for (const outcome of asked) t.ok((callbackOutcomes as readonly string[]).includes(outcome), outcome);
  for (const outcome of callbackOutcomes) t.match(operations, outcome);
});

t.test("docs/operations.md has every metric of ours with its type, and no other", async (t) => {
  t.ok(ours.length > 10);
  for (const name of ours) t.match(operations, `| \`${name}\` | ${metrics.get(name)} |`);
  t.strictSame(unknownIn(operations), []);
});

t.test("what a histogram or counter is called says its unit", async (t) => {
  for (const name of ours) {
    const type = metrics.get(name);
    if (type === "counter") t.match(name, /_total$/);
    if (type === "histogram") t.match(name, /_seconds$/);
  }
});

const promtool = spawnSync("promtool", ["--version"]);

t.test(
  "Prometheus itself finds nothing wrong with rules and dashboard",
  {
    skip: promtool.status === 0 ? false : "promtool is not installed",
  },
  async (t) => {
    const { panels } = JSON.parse(textOf("deploy/grafana/passwright.json") ?? "{}");
    const expressions: string[] = panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) =>
      targets.map(({ expr }) => expr.replaceAll("$__rate_interval", "5m").replaceAll("$instance", ".*")),
    );
    t.ok(expressions.length > 0);
    const recorded = expressions.map((expr, index) => ({ record: `panel:${index}`, expr }));
    const file = join(t.testdir(), "dashboard.json");
    // YAML takes JSON as it is.
    writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules: recorded }] }));
    const checked = spawnSync(
      "promtool",
      ["check", "rules", "deploy/prometheus/passwright.rules.yml", file],
      { encoding: "utf8" },
    );
    t.equal(checked.status, 0, checked.stdout + checked.stderr);
  },
);
