import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { type Client, signIn } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { newReference } from "./support/passes.ts";
import {
  collect,
  environmentOf,
  metricsAnywhere,
  type Passwright,
  root,
  startPasswright,
} from "./support/passwright.ts";
import { childrenOf, isAlive, type Process } from "./support/processes.ts";
import { ask } from "./support/requests.ts";

// Nothing that was accepted may be lost, whatever part of the service dies.

const settings = {
  ...metricsAnywhere,
  PASSWRIGHT_TOKEN_RATE_LIMIT: "10000/1m",
  PASSWRIGHT_JOB_LEASE: "2s",
  PASSWRIGHT_JOB_RETRY_SCHEDULE: "0s,500ms,500ms,1s,1s,1s,2s,2s,2s,2s",
};
const dataDir = join(t.testdir(), "data");
mkdirSync(dataDir);
const service = await startPasswright(t, { settings, dataDir });
const { announced } = service;
const client = await signIn(announced.base_url, announced);
const accepted: string[] = [];

t.test("a second up on the same folder ends with 1 and says why; the first goes on", async (t) => {
  const { code, stdout, stderr } = await startAgain();
  t.equal(code, 1);
  t.equal(stdout, "", "nothing that a script would take for an announcement");
  t.match(stderr, /\S/);
  t.ok(stderr.includes(dataDir) || /already|running|in use/i.test(stderr), `it says why: ${stderr}`);
  t.notMatch(stderr, /^\s+at .*\.js:\d+/m, "without a stack trace");
  t.equal((await ask(`${announced.base_url}/readyz`)).status, 200);
  t.equal(childrenOf(service.pid).length, 4, "its children are all there");
});

for (const part of ["worker", "serve", "redis-server"]) {
  t.test(`${part} killed while passes are made: all that was accepted comes to be`, async (t) => {
    const victim = childNamed(service, part);
    const stop = new AbortController();
    const makers = Array.from({ length: 4 }, () => keepCreating(client, stop.signal));
    const soFar = () => accepted.length;
    const before = soFar();
    await eventually(async () => (soFar() >= before + 10 ? true : undefined));
    process.kill(victim.pid, "SIGKILL");
    await eventually(async () => (isAlive(victim.pid) ? undefined : true));
    const successor = await eventually(async () => findChild(service, part));
    t.not(successor.pid, victim.pid, "another one took its place");
    const atDeath = soFar();
    await eventually(async () => (soFar() >= atDeath + 10 ? true : undefined), 30_000);
    stop.abort();
    await Promise.all(makers);
    await allActive(t, client);
  });
}

t.test("with Redis silent, an answer comes nevertheless, and says to come again", async (t) => {
  const redis = childNamed(service, "redis-server");
  process.kill(redis.pid, "SIGSTOP");
  t.teardown(() => isAlive(redis.pid) && process.kill(redis.pid, "SIGCONT"));
  const create = client.post("/api/v1/passes", card());
  const others = ["/api/v1/passes", "/api/v1/templates", "/readyz"].map((path) => client.get(path));
  for (const reply of await Promise.all([create, ...others])) {
    t.equal(reply.status, 503, reply.text);
    t.match(reply.headers["retry-after"], /^[1-9]\d*$/);
  }
  t.match((await create).json, { error: "unavailable", error_description: /\S/, trace_id: String });
  t.equal((await ask(`${announced.base_url}/healthz`)).status, 200, "the process itself is well");
  t.equal((await ask(`${announced.base_url}/.well-known/jwks.json`)).status, 200, "keys are in memory");
  process.kill(redis.pid, "SIGCONT");
  await eventually(async () => ((await client.get("/api/v1/passes")).status === 200 ? true : undefined));
  await create;
});

t.test("SIGTERM ends all of it in time and in order, with work in hand", async (t) => {
  const children = childrenOf(service.pid);
  t.equal(children.length, 4);
  const late = await Promise.all(Array.from({ length: 30 }, () => client.post("/api/v1/passes", card())));
  for (const { status, json } of late) {
    t.equal(status, 202);
    accepted.push(json.id);
  }
  const began = performance.now();
  t.equal(await service.stop("SIGTERM"), 0);
  t.ok(performance.now() - began < 10_000, "within ten seconds");
  for (const { pid, command } of children) t.notOk(isAlive(pid), `${command} is gone`);
  await t.rejects(ask(`${announced.base_url}/healthz`), { code: "ECONNREFUSED" });
});

t.test("a second start has everything again, and finishes what was in hand", async (t) => {
  const again = await startPasswright(t, { settings, dataDir });
  const { tenant_id, application_id, application_secret, template_id } = announced;
  t.match(again.announced, { tenant_id, application_id, application_secret, template_id });
  const returned = await signIn(again.announced.base_url, announced);
  const list = await returned.get("/api/v1/passes?page_size=1");
  t.ok(list.json.total >= accepted.length + 1, "all passes are there, the first run's own among them");
  await allActive(t, returned);
  const first = await returned.get(`/api/v1/passes/${accepted[0]}`);
  t.equal((await ask(first.json.page_url)).status, 200);

  const children = childrenOf(again.pid);
  const began = performance.now();
  t.equal(await again.stop("SIGINT"), 0, "Ctrl-C does as well");
  t.ok(performance.now() - began < 10_000);
  for (const { pid, command } of children) t.notOk(isAlive(pid), `${command} is gone`);
});

t.test("two that start at one moment, each with a folder of its own, do not meet", async (t) => {
  const folder = t.testdir();
  const starts = ["one", "other"].map((name) => startPasswright(t, { dataDir: join(folder, name) }));
  const [one, other] = await Promise.all(starts);
  for (const port of ["base_url", "redis_url", "sandbox_url", "metrics_url"] as const) {
    t.not(one?.announced[port], other?.announced[port], port);
  }
});

function card() {
  return {
    template_id: announced.template_id,
    intent: "loyalty_card",
    external_ref: newReference(),
    data: { member: "Ada Lovelace" },
  };
}

/** Makes one pass after the other until told to stop; what is not answered was not accepted. */
async function keepCreating(who: Client, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const reply = await who.post("/api/v1/passes", card()).catch(() => undefined);
    if (reply?.status === 202) accepted.push(reply.json.id);
    else await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Asks for every pass that was ever accepted until it is active. */
async function allActive(t: Test, who: Client) {
  const open = new Set(accepted);
  await eventually(async () => {
    for (const id of open) {
      const { status, json } = await who.get(`/api/v1/passes/${id}`);
      if (status === 404) throw new Error(`pass ${id} was accepted and is lost`);
      if (status !== 200 || json.status !== "active") return undefined;
      open.delete(id);
    }
    return true;
  }, 40_000);
  t.equal(open.size, 0, `all of ${accepted.length} passes are active`);
}

function findChild({ pid }: Passwright, part: string): Process | undefined {
  return childrenOf(pid).find(({ command }) => command.includes(part));
}

function childNamed(of: Passwright, part: string): Process {
  const found = findChild(of, part);
  if (found === undefined) throw new Error(`${part} is no child of up`);
  return found;
}

async function startAgain() {
  const args = ["bin/run.js", "up", "--json", "--port", "0", "--data", dataDir];
  const child = spawn(process.execPath, args, { cwd: root, env: environmentOf(settings) });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  t.teardown(() => child.kill());
  const [code] = await once(child, "close");
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}
