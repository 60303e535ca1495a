import { readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { freePort } from "../support/redis-server.ts";
import { signIn } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { issuePass, sampleRequest } from "./support/passes.ts";
import { metricsAnywhere, root, startPasswright } from "./support/passwright.ts";
import { ask } from "./support/requests.ts";

// The dashboard and the alert rules are written against names. Here these are compared with what the built processes show.

const workerAddress = `127.0.0.1:${await freePort()}`;
const service = await startPasswright(t, {
  // Several processes show all that one does, and what is told of them.
  settings: {
    ...metricsAnywhere,
    PASSWRIGHT_WORKER_METRICS_ADDRESS: workerAddress,
    PASSWRIGHT_PROCESSES: "2",
  },
});
const { announced } = service;
const client = await signIn(announced.base_url, announced);
await issuePass(client, await sampleRequest(client, announced.template_id));

/** What Prometheus puts on every series that it scrapes, and on those of histograms. */
const everywhere = ["instance", "job"];

/** The labels of each metric; a histogram's are under the names of its three series. */
async function shownMetrics(): Promise<Map<string, Set<string>>> {
  const urls = [announced.metrics_url, `http://${workerAddress}/metrics`];
  const texts = await Promise.all(urls.map(async (url) => (await ask(url)).text));
  const shown = new Map<string, Set<string>>();
  for (const [, name = "", labels = ""] of texts.join("\n").matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const names = [...labels.matchAll(/(\w+)="/g)].map(([, label = ""]) => label);
    shown.set(name, new Set([...(shown.get(name) ?? everywhere), ...names]));
  }
  return shown;
}

const shown = await eventually(async () => {
  const metrics = await shownMetrics();
  return metrics.has("passwright_work_done_seconds_bucket") ? metrics : undefined;
});

/** What an expression names and nobody shows: metrics, and labels of theirs. */
function faultsIn(expression: string): string[] {
  const faults: string[] = [];
  const known = new Set<string>();
  for (const [, name = "", selector = ""] of expression.matchAll(/\b(passwright_\w+)(?:\{([^}]*)\})?/g)) {
    const labels = shown.get(name);
    if (labels === undefined) faults.push(name);
    for (const label of labels ?? []) known.add(label);
    for (const [, label = ""] of selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)) {
      if (labels?.has(label) !== true) faults.push(`${name}{${label}}`);
    }
  }
  for (const [, list = ""] of expression.matchAll(/\bby \(([^)]*)\)/g)) {
    for (const label of list.split(", ")) if (!known.has(label)) faults.push(`by (${label})`);
  }
  return faults;
}

type Target = { expr: string; legendFormat: string };
type Panel = {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  datasource?: unknown;
  targets?: Target[];
};
const dashboard = JSON.parse(readFileSync(join(root, "deploy/grafana/passwright.json"), "utf8"));
const panels: Panel[] = dashboard.panels;
const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const rules = readFileSync(join(root, "deploy/prometheus/passwright.rules.yml"), "utf8");
const alerts = [...rules.matchAll(/^ {8}expr: (.+)$/gm)].map(([, expression = ""]) => expression);

t.test("every expression of the dashboard names what the processes show, labels too", async (t) => {
  t.ok(expressions.length > 30);
  for (const expression of expressions) t.strictSame(faultsIn(expression), [], expression);
  t.strictSame(faultsIn('sum by (clas) (rate(passwright_queue_redy{kind="x"}[5m]))'), [
    "passwright_queue_redy",
    "passwright_queue_redy{kind}",
    "by (clas)",
  ]);
  t.strictSame(faultsIn('passwright_queue_ready{kind="job"}'), ["passwright_queue_ready{kind}"]);
});

t.test("so does every alert", async (t) => {
  t.ok(alerts.length > 15);
  for (const expression of alerts) t.strictSame(faultsIn(expression), [], expression);
});

t.test("a legend speaks of labels that its expression leaves", async (t) => {
  for (const { targets = [], title } of panels) {
    for (const { expr, legendFormat } of targets) {
      const left = /\bby \(([^)]*)\)/.exec(expr)?.[1]?.split(", ") ?? everywhere;
      for (const [, label = ""] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) t.ok(left.includes(label), title);
    }
  }
});

t.test("every metric of ours is on the dashboard", async (t) => {
  const all = expressions.join("\n");
  const ours = [...shown.keys()].filter(
    (name) => !/^passwright_(?:nodejs|process)_|_(?:sum|count)$/.test(name),
  );
  for (const name of ours) t.ok(new RegExp(`\\b${name.replace(/_bucket$/, "")}`).test(all), name);
});

t.test(
  "it can be imported as it is: what it needs is chosen, and its panels lie beside each other",
  async (t) => {
    t.strictSame(
      dashboard.templating.list.map(({ name }: { name: string }) => name),
      ["datasource", "instance"],
    );
    t.notMatch(JSON.stringify(dashboard), /__inputs|DS_PROMETHEUS/);
    const taken = new Set<string>();
    const faults = panels.flatMap(({ gridPos: { x, y, w, h }, title }) => {
      const cells = Array.from(
        { length: w * h },
        (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`,
      );
      const isFree = cells.every((cell) => !taken.has(cell));
      for (const cell of cells) taken.add(cell);
      return title !== "" && isFree && x + w <= 24 ? [] : [title];
    });
    t.strictSame(faults, []);
    for (const { type, title, targets = [], datasource } of panels) {
      if (type === "row") continue;
      t.ok(targets.length > 0, title);
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana's own
      t.match(datasource, { uid: "${datasource}" }, title);
    }
    t.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  },
);
