import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { signIn } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { issuePass, sampleRequest } from "./support/passes.ts";
import {
  collect,
  endWithUs,
  environmentOf,
  newMasterKey,
  root,
  startPasswright,
} from "./support/passwright.ts";
import { ask } from "./support/requests.ts";

const settings = { PASSWRIGHT_MASTER_KEY: newMasterKey(), PASSWRIGHT_LOG_LEVEL: "info" };
const service = await startPasswright(t, { settings });
const { announced } = service;

/** Where a worker says in its log that its metrics are. */
function metricsUrlIn(log: string): string | undefined {
  const ready = log.split("\n").find((line) => line.includes('"worker.ready"'));
  return ready === undefined ? undefined : JSON.parse(ready).metrics;
}

function valueIn(text: string, sample: string): number | undefined {
  const line = text.split("\n").find((one) => one.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length));
}

const logFile = join(service.dataDir, "log", "worker.log");
const url = await eventually(async () => metricsUrlIn(readFileSync(logFile, "utf8")));

t.test("the worker shows what it did to a pass, and that nothing is left of it", async (t) => {
  const client = await signIn(announced.base_url, announced);
  const attempts = async () =>
    valueIn((await ask(url)).text, 'passwright_work_attempts_total{kind="job",outcome="completed"}') ?? 0;
  const before = await attempts();
  await issuePass(client, await sampleRequest(client, announced.template_id));
  const text = await eventually(async () =>
    (await attempts()) >= before + 2 ? (await ask(url)).text : undefined,
  );
  const own = '{class="interactive"}';
  t.ok(Number(valueIn(text, `passwright_work_start_seconds_count${own}`)) >= before + 2);
  t.ok(Number(valueIn(text, `passwright_work_done_seconds_count${own}`)) >= before + 2);
  t.equal(valueIn(text, `passwright_work_in_hand${own}`), 0);
  t.equal(valueIn(text, 'passwright_work_leases_lost_total{kind="job"}'), 0);
  t.ok(Number(valueIn(text, "passwright_worker_turn_age_seconds")) < 30);
});

t.test("serve and worker tell the same of the queue, each on an address of its own", async (t) => {
  t.not(url, announced.metrics_url);
  for (const address of [url, announced.metrics_url]) {
    const { text } = await ask(address);
    t.equal(valueIn(text, "passwright_queue_readable"), 1, address);
    for (const workClass of ["interactive", "webhooks", "bulk"]) {
      t.equal(valueIn(text, `passwright_queue_ready{class="${workClass}"}`), 0, `${address} ${workClass}`);
      t.equal(valueIn(text, `passwright_queue_dead_letters{class="${workClass}"}`), 0);
    }
  }
});

t.test("the worker is healthy, and says so beside its metrics", async (t) => {
  const health = await ask(new URL("/healthz", url).href);
  t.equal(health.status, 200);
  t.strictSame(health.json, { status: "ok" });
});

t.test("a second worker on the same address starts nevertheless, elsewhere, and says where", async (t) => {
  const child = spawn(process.execPath, ["bin/run.js", "worker"], {
    cwd: root,
    env: environmentOf({
      ...settings,
      PASSWRIGHT_REDIS_URL: announced.redis_url,
      PASSWRIGHT_WORKER_METRICS_ADDRESS: new URL(url).host,
    }),
    stdio: ["ignore", "ignore", "pipe"],
  });
  const keeper = endWithUs(child.pid ?? Number.NaN);
  const exited = once(child, "exit");
  t.teardown(async () => {
    child.kill("SIGTERM");
    await exited;
    keeper.kill();
  });
  const stderr = collect(child.stderr);
  const other = await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`the worker ended:\n${stderr.text()}`);
    return metricsUrlIn(stderr.text());
  });
  t.not(other, url);
  t.match(stderr.text(), `Metrics cannot be served on ${new URL(url).host}. They are at ${other}`);
  t.equal((await ask(new URL("/healthz", other).href)).status, 200);
});
