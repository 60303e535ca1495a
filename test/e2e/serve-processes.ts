import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import t, { type Test } from "tap";
import { freePort } from "../support/redis-server.ts";
import { type Client, signIn } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { createTenant } from "./support/operator.ts";
import { newReference } from "./support/passes.ts";
import {
  collect,
  endWithUs,
  environmentOf,
  newMasterKey,
  root,
  startPasswright,
} from "./support/passwright.ts";
import { whileWorkerPauses } from "./support/paused-worker.ts";
import { childrenOf, isAlive } from "./support/processes.ts";
import { ask } from "./support/requests.ts";

// `serve --processes` of the built product: one address, several processes behind it.

t.setTimeout(240_000);
const settings = { PASSWRIGHT_MASTER_KEY: newMasterKey(), PASSWRIGHT_TOKEN_RATE_LIMIT: "10000/1m" };
const service = await startPasswright(t, { settings });
const customer = await createTenant(service, { name: "The customer", funds: ["--credits", "100000"] });

/** `serve` with so many processes on the same store. */
async function startServing(t: Pick<Test, "teardown">, count: number) {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const args = ["bin/run.js", "serve", "--port", String(port), "--processes", String(count)];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: environmentOf({
      ...settings,
      PASSWRIGHT_REDIS_URL: service.announced.redis_url,
      PASSWRIGHT_METRICS_ADDRESS: `127.0.0.1:${metricsPort}`,
    }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const pid = child.pid ?? Number.NaN;
  const keeper = endWithUs(pid);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const ended = once(child, "exit") as Promise<[number | null]>;
  t.teardown(async () => {
    child.kill("SIGTERM");
    await ended;
    keeper.kill();
  });
  await Promise.race([
    stderr.until('"serve.ready"'),
    ended.then(() => Promise.reject(new Error(`serve ended:\n${stdout.text()}${stderr.text()}`))),
  ]);
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    port,
    pid,
    baseUrl,
    stdout: stdout.text,
    /** The lines of the log that are whole. */
    logged: () =>
      stderr
        .text()
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    metrics: async () => (await ask(`http://127.0.0.1:${metricsPort}/metrics`)).text,
    /** How many requests each process has answered, by its number. */
    answered: async () => countsIn((await ask(`http://127.0.0.1:${metricsPort}/metrics`)).text),
    async stop(): Promise<{ code: number | null; ms: number }> {
      const began = performance.now();
      child.kill("SIGTERM");
      const [code] = await ended;
      return { code, ms: performance.now() - began };
    },
  };
}

function countsIn(metrics: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, number = "", count] of metrics.matchAll(
    /^passwright_http_requests_total\{process="(\d+)",.*\} (\d+)$/gm,
  )) {
    counts.set(number, (counts.get(number) ?? 0) + Number(count));
  }
  return counts;
}

function card() {
  return {
    template_id: service.announced.template_id,
    intent: "loyalty_card",
    external_ref: newReference(),
    data: { member: "Ada Lovelace" },
  };
}

t.test("three processes answer on one port, and one line says that all are ready", async (t) => {
  const serving = await startServing(t, 3);
  const lines = serving.logged();
  const ready = lines.filter(({ msg }) => msg === "serve.ready");
  t.match(ready, [{ processes: 3, port: serving.port, base_url: serving.baseUrl, metrics: String }]);
  t.equal(ready.length, 1);
  // A process's own line is written when it finds the time.
  const each = await eventually(async () => {
    const said = serving.logged().filter(({ msg }) => msg === "serve.process_ready");
    return said.length === 3 ? said.map(({ process }) => process) : undefined;
  });
  t.strictSame(each.sort(), [1, 2, 3], "each says its number");
  t.equal(childrenOf(serving.pid).length, 3);
  t.equal(serving.stdout(), "");

  const counts = await eventually(async () => {
    await Promise.all(Array.from({ length: 20 }, () => ask(`${serving.baseUrl}/healthz`)));
    const found = await serving.answered();
    return found.size === 3 ? found : undefined;
  });
  t.strictSame([...counts.keys()].sort(), ["1", "2", "3"], "connections are spread over all of them");
  t.match(await serving.metrics(), /^passwright_serve_processes_ready 3$/m);

  t.test("a token of one is good at all, and passes are made", async (t) => {
    const client = await signIn(serving.baseUrl, customer);
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => client.post("/api/v1/passes", card())),
    );
    t.strictSame(
      replies.map(({ status }) => status),
      Array(30).fill(202),
    );
  });

  t.test("the same port is not shared with anybody else", async (t) => {
    const again = await service.cli("serve", "--port", String(serving.port), "--processes", "2");
    t.equal(again.code, 1);
    t.match(again.stderr, `cannot listen on 127.0.0.1 port ${serving.port}: it is taken`);
  });

  t.test("one that is killed comes back, and whatever was answered with 202 is there", async (t) => {
    const client = await signIn(serving.baseUrl, customer);
    const accepted: string[] = [];
    const stop = new AbortController();
    const makers = Array.from({ length: 4 }, () => keepCreating(client, accepted, stop.signal));
    await eventually(async () => (accepted.length > 10 ? true : undefined));
    const victim = childrenOf(serving.pid)[0];
    process.kill(victim?.pid ?? 0, "SIGKILL");
    await eventually(async () =>
      /^passwright_serve_process_deaths_total 1$/m.test(await serving.metrics()) ? true : undefined,
    );
    const soFar = accepted.length;
    await eventually(async () => (accepted.length > soFar + 10 ? true : undefined));
    await eventually(async () =>
      /^passwright_serve_processes_ready 3$/m.test(await serving.metrics()) ? true : undefined,
    );
    stop.abort();
    const others = (await Promise.all(makers)).flat().filter((code) => code !== "ECONNRESET");
    t.strictSame(others, [], "who was talking to it lost a connection, and nobody got anything else");
    const death = serving.logged().find(({ msg }) => msg === "serve.process_died");
    t.match(death, { process: Number, signal: "SIGKILL" });
    for (const id of accepted) t.equal((await client.get(`/api/v1/passes/${id}`)).status, 200);
  });
});

t.test("SIGTERM under traffic: whoever was heard is answered, and all is over in time", async (t) => {
  const serving = await startServing(t, 3);
  const client = await signIn(serving.baseUrl, customer);
  const { result, waiting, callers, stopped } = await whileWorkerPauses(service, async () => {
    // Nobody works, so the job does not end, and who waits for it is there when the signal comes.
    const { job_id } = (await client.post("/api/v1/passes", card())).json;
    const waiting = Array.from({ length: 6 }, () => client.get(`/api/v1/jobs/${job_id}?wait=20`));
    const callers = Array.from({ length: 12 }, () => keepAsking(serving.port, client.token));
    await eventually(async () => (callers.every(({ answered }) => answered.length > 5) ? true : undefined));
    const pids = childrenOf(serving.pid).map(({ pid }) => pid);
    const result = await serving.stop();
    return { result, waiting, callers, stopped: pids };
  });
  t.equal(result.code, 0);
  t.ok(result.ms < 10_000, `it took ${Math.round(result.ms)} ms`);
  t.strictSame(stopped.filter(isAlive), [], "no process is left");
  for (const reply of await Promise.all(waiting)) t.equal(reply.status, 200, "who waited was answered");
  for (const { ended, answered } of callers) {
    t.equal(await ended, "ECONNREFUSED", "the next connection was refused, and no request was lost");
    t.ok(
      answered.every((status) => status === 202),
      "what was asked was carried out",
    );
  }
});

t.test("when the parent dies without a word, the others end by themselves", async (t) => {
  const serving = await startServing(t, 2);
  const pids = childrenOf(serving.pid).map(({ pid }) => pid);
  process.kill(serving.pid, "SIGKILL");
  await eventually(async () => (pids.some(isAlive) ? undefined : true));
  await t.rejects(ask(`${serving.baseUrl}/healthz`), { code: "ECONNREFUSED" });
});

/** Makes passes until told to stop; answers with what went wrong on the way. */
async function keepCreating(client: Client, accepted: string[], stop: AbortSignal): Promise<string[]> {
  const failures: string[] = [];
  while (!stop.aborted) {
    try {
      const reply = await client.post("/api/v1/passes", card());
      if (reply.status === 202) accepted.push(reply.json.id);
      else failures.push(String(reply.status));
    } catch (error) {
      failures.push((error as { code?: string }).code ?? String(error));
    }
  }
  return failures;
}

/** One caller on one connection, which asks again as soon as it has an answer, until something fails. */
function keepAsking(port: number, token: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answered: number[] = [];
  const post = async (): Promise<number> => {
    const asking = request({
      port,
      host: "127.0.0.1",
      path: "/api/v1/passes",
      method: "POST",
      agent,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
    asking.end(JSON.stringify(card()));
    const [response] = (await once(asking, "response")) as [IncomingMessage];
    for await (const _ of response);
    return response.statusCode ?? 0;
  };
  const run = async (): Promise<string> => {
    try {
      for (;;) answered.push(await post());
    } catch (error) {
      return (error as { code?: string }).code ?? String(error);
    } finally {
      agent.destroy();
    }
  };
  return { answered, ended: run() };
}
