/**
 * What a batch of 10,000 creations and a broadcast to 100,000 passes do to everybody else: single passes of other tenants,
 * from the request to «active» at both sandbox wallets, while nothing runs and while one of the two does. One worker;
 * everything that `npm start` starts, over HTTP as clients see it. Run it with
 * `node bench/fairness.ts [OPERATIONS [PASSES]]` after a build; making the passes takes some minutes.
 */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpus } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Announced, withWholeService } from "./support/whole-service.ts";

const operations = Number(process.argv[2] ?? 10_000);
const broadcastPasses = Number(process.argv[3] ?? 100_000);
const idlePasses = 200;
/** Several, so that some live in the batch's partition and some do not. */
const otherTenants = 4;

type Tenant = { tenant_id: string; application_id: string; application_secret: string };
type Caller = (method: string, path: string, body?: unknown) => Promise<ReturnType<typeof JSON.parse>>;

const entry = fileURLToPath(new URL("../bin/run.js", import.meta.url));
const settings = {
  PASSWRIGHT_MASTER_KEY: randomBytes(32).toString("base64"),
  PASSWRIGHT_TOKEN_RATE_LIMIT: "1000/1m",
};
await withWholeService(run, settings);

async function run(ready: Announced): Promise<void> {
  // Not the demo's tenant: its webhook would have every event of the batch delivered on the same two cores.
  const batchCaller = await signIn(ready, createTenant(ready));
  const others = await Promise.all(
    Array.from({ length: otherTenants }, () => signIn(ready, createTenant(ready))),
  );
  const pass = (ref: string) => ({
    ...{ template_id: ready.template_id, intent: "loyalty_card", external_ref: ref },
    data: { member: "Grace Hopper", points: "10" },
  });
  let count = 0;
  const single = async (): Promise<number> => {
    count += 1;
    const caller = others[count % others.length] ?? batchCaller;
    const startedAt = performance.now();
    const accepted = await caller("POST", "/api/v1/passes", pass(`single-${count}`));
    const job = await caller("GET", `/api/v1/jobs/${accepted.job_id}?wait=20`);
    if (job.status !== "completed") throw new Error(`a single pass is ${job.status}`);
    return performance.now() - startedAt;
  };

  for (let i = 0; i < 40; i++) await single();
  const idle: number[] = [];
  for (let i = 0; i < idlePasses; i++) idle.push(await single());

  const creations = (from: number) => ({
    operations: Array.from({ length: operations }, (_, i) => ({
      type: "create",
      pass: pass(`batch-${from + i}`),
    })),
  });
  const active = async (): Promise<number> =>
    (await batchCaller("GET", "/api/v1/passes?status=active&page_size=1")).total;
  const finished = async (jobId: string): Promise<void> => {
    while ((await batchCaller("GET", `/api/v1/jobs/${jobId}?wait=20`)).status !== "completed");
  };
  const startedAt = performance.now();
  // From here on: what it costs others that the batch is taken in, is part of it.
  const batch = batchCaller("POST", "/api/v1/batches", creations(0));
  let acceptedMs = 0;
  let carriedOutMs = 0;
  const watch = (async () => {
    const { job_id } = await batch;
    acceptedMs = performance.now() - startedAt;
    await finished(job_id);
    carriedOutMs = performance.now() - startedAt;
  })();
  const during: number[] = [];
  for (let made = 0; made < operations; ) {
    during.push(await single());
    if (during.length % 20 === 0) made = await active();
  }
  await watch;
  const activeMs = performance.now() - startedAt;

  console.log(`${cpus()[0]?.model}, ${cpus().length} cores, node ${process.version}, one worker`);
  report("idle: request to active", idle);
  report("during the batch: request to active", during);
  console.log(
    `batch of ${operations}: accepted in ${acceptedMs.toFixed(0)} ms, all operations carried out in ` +
      `${seconds(carriedOutMs)}, all passes active in ${seconds(activeMs)} ` +
      `(${Math.round((operations / activeMs) * 1000)} passes/s)`,
  );

  for (let made = operations; made < broadcastPasses; made += operations) {
    await finished((await batchCaller("POST", "/api/v1/batches", creations(made))).job_id);
  }
  while ((await active()) < broadcastPasses) await pause(500);
  const before: number[] = [];
  for (let i = 0; i < idlePasses; i++) before.push(await single());
  const sentAt = performance.now();
  const message = await batchCaller("POST", "/api/v1/messages", {
    ...{ template_id: ready.template_id, header: "News", body: "Double points today" },
  });
  let broadcastMs = 0;
  const sent = finished(message.job_id).then(() => {
    broadcastMs = performance.now() - sentAt;
  });
  const meanwhile: number[] = [];
  // At least so many, though the broadcast may be over sooner: what it leaves behind counts, too.
  while (broadcastMs === 0 || meanwhile.length < idlePasses) meanwhile.push(await single());
  await sent;
  report("before the broadcast", before);
  report("during the broadcast", meanwhile);
  console.log(`broadcast to ${message.affected_passes} passes: done in ${seconds(broadcastMs)}`);
}

/** As an operator takes a customer in. */
function createTenant(ready: Announced): Tenant {
  const env = {
    ...process.env,
    ...settings,
    PASSWRIGHT_REDIS_URL: ready.redis_url,
    PASSWRIGHT_SANDBOX_URL: ready.sandbox_url,
  };
  const cli = (...args: string[]) =>
    JSON.parse(execFileSync(process.execPath, [entry, ...args, "--json"], { env, encoding: "utf8" }));
  const { id } = cli("tenants", "create", "--name", "Another", "--credits", "1000000");
  const { id: application_id, secret: application_secret } = cli(
    ...["applications", "create", "--tenant", id, "--name", "bench", "--type", "backend"],
  );
  for (const wallet of ["apple", "google"]) cli("providers", "set", wallet, "--tenant", id, "--sandbox");
  return { tenant_id: id, application_id, application_secret };
}

async function signIn(ready: Announced, tenant: Tenant): Promise<Caller> {
  const response = await fetch(`${ready.base_url}/api/v1/auth/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: tenant.application_id,
      client_secret: tenant.application_secret,
    }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  const headers = { Authorization: `Bearer ${access_token}`, "Content-Type": "application/json" };
  return async (method, path, body) => {
    const answer = await fetch(`${ready.base_url}${path}`, {
      ...{ method, headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
}

function report(name: string, samples: number[]): void {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  console.log(
    `${name.padEnd(36)} ${String(samples.length).padStart(5)} passes: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`,
  );
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
