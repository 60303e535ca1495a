import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import type { Test } from "tap";
import { freePort } from "../../support/redis-server.ts";
import { remove } from "./changes.ts";
import { type Client, signIn } from "./client.ts";
import { eventually } from "./eventually.ts";
import { newReference } from "./passes.ts";
import { newMasterKey, type Passwright, startPasswright } from "./passwright.ts";
import { childrenOf, isAlive } from "./processes.ts";
import { ask, type Reply } from "./requests.ts";
import { createReceiver, deliveriesTo } from "./sandbox.ts";

/** How many jobs the worker is to have in hand at a time; of deliveries ten times as many. */
const concurrency = 4;
/** With those that it keeps for tenants who have few. What is in hand is all that one outage may cause to be sent twice. */
export const hands = concurrency * 10 * 1.5;

/** What came back from one call, and how long it took. */
export type Timed = { call: string; status: number; ms: number; reply: Reply };

export type Outage = Awaited<ReturnType<typeof openOutage>>;

/**
 * The built service (serve, worker, sandbox) on a Redis that the test breaks, with customers who make passes all the time
 * and a receiver that hears of each.
 */
export async function openOutage(
  t: Test,
  redisUrl: string,
  options: { storesAt?: readonly string[]; settings?: Record<string, string> } = {},
) {
  const finishedAtMs = openFinishes(t, options.storesAt ?? [redisUrl]);
  const workerAddress = `127.0.0.1:${await freePort()}`;
  const service = await startPasswright(t, {
    settings: {
      PASSWRIGHT_REDIS_URL: redisUrl,
      PASSWRIGHT_MASTER_KEY: newMasterKey(),
      PASSWRIGHT_METRICS_ADDRESS: "127.0.0.1:0",
      PASSWRIGHT_WORKER_METRICS_ADDRESS: workerAddress,
      PASSWRIGHT_WORKER_CONCURRENCY: String(concurrency),
      PASSWRIGHT_WORKER_STALLED_AFTER: "5s",
      PASSWRIGHT_TOKEN_RATE_LIMIT: "10000/1m",
      PASSWRIGHT_JOB_LEASE: "2s",
      PASSWRIGHT_JOB_RETRY_SCHEDULE: "0s,200ms,500ms,1s,1s,2s,2s,2s,2s,2s",
      PASSWRIGHT_WEBHOOK_RETRY_SCHEDULE: "0s,200ms,500ms,1s,1s,2s,2s,2s,2s,2s",
      ...options.settings,
    },
  });
  const { announced } = service;
  const client = await signIn(announced.base_url, announced);
  const secret = "the secret of the outage";
  const receiver = await createReceiver(service, secret);
  const events = ["pass.created"];
  const subscribed = await client.post("/api/v1/webhooks", { url: receiver.url, events, secret });
  if (subscribed.status !== 201) throw new Error(`no webhook: ${subscribed.status} ${subscribed.text}`);
  const processes = () => childrenOf(service.pid).map(({ pid }) => pid);
  const customers = openCustomers(client, announced.template_id);
  // Calls that were refused may have been carried out nevertheless, so this one is nobody's.
  const spare = (await client.post("/api/v1/passes", customers.card())).json;

  return {
    service,
    client,
    customers,
    /** The processes that run now: those that an outage must not end. */
    processes,
    workerHealth: () => ask(`http://${workerAddress}/healthz`),
    workerMetrics: async () => (await ask(`http://${workerAddress}/metrics`)).text,
    /** Some dozens of calls at one moment, mutating and reading, of which every one needs the store. */
    storm: () => storm(client, service, { webhook: subscribed.json.id, pass: spare.id, job: spare.job_id }),
    /** From an instant until a pass was accepted again, and until the first job that came after it was finished (ms). */
    async servedSince(sinceMs: number) {
      const afterwards = () => customers.accepted.filter(({ atMs }) => atMs > sinceMs);
      const accepted = await eventually(async () => afterwards()[0]?.atMs);
      const finished = await eventually(async () =>
        afterwards()
          .map(({ job }) => finishedAtMs.get(job))
          .find((atMs) => atMs !== undefined),
      );
      return { accepted: Math.round(accepted - sinceMs), finished: Math.round(finished - sinceMs) };
    },
    /** Deliveries that came more than once, by how much. */
    async duplicates() {
      const ids = (await deliveriesTo(service, receiver)).map(({ headers }) => headers["webhook-id"]);
      return ids.length - new Set(ids).size;
    },
    /** Every pass that was accepted is active, and the receiver has heard of each; but those that may be lost may be. */
    async nothingLost(t: Test, mayBeLost: (accepted: { atMs: number }) => boolean = () => false) {
      const open = new Map(customers.accepted.map((accepted) => [accepted.pass, accepted]));
      const lost = new Set<string>();
      await eventually(async () => {
        for (const [id, accepted] of open) {
          const { status, json } = await client.get(`/api/v1/passes/${id}`);
          if (status === 404 && mayBeLost(accepted)) lost.add(id);
          else if (status === 404) throw new Error(`pass ${id} was accepted and is lost`);
          else if (status !== 200 || json.status !== "active") return undefined;
          open.delete(id);
        }
        return true;
      });
      const untold = await eventually(async () => {
        const bodies = (await deliveriesTo(service, receiver)).map(({ body }) => JSON.parse(body).data.id);
        const told = new Set(bodies);
        return customers.accepted.every(({ pass }) => told.has(pass) || lost.has(pass)) ? 0 : undefined;
      });
      t.equal(untold, 0, `${customers.accepted.length} were accepted, of which ${lost.size} are lost`);
      return lost.size;
    },
  };
}

/** Four customers who make one pass after the other, outage or not; what is not answered with 202 was not accepted. */
function openCustomers(client: Client, template_id: string) {
  const accepted: { pass: string; job: string; atMs: number }[] = [];
  const card = () => ({
    template_id,
    intent: "loyalty_card",
    external_ref: newReference(),
    data: { member: "Ada Lovelace" },
  });
  async function keepCreating(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const reply = await client.post("/api/v1/passes", card()).catch(() => undefined);
      const { id: pass, job_id: job } = reply?.json ?? {};
      if (reply?.status === 202) accepted.push({ pass, job, atMs: performance.now() });
      // The worker, with its few hands, is to keep up with them.
      await pause(200);
    }
  }
  return {
    accepted,
    card,
    /** Has them come and go while something is done; that begins once some of them were served. */
    async during<Result>(act: () => Promise<Result>): Promise<Result> {
      const stop = new AbortController();
      const before = accepted.length;
      const customers = Array.from({ length: 4 }, () => keepCreating(stop.signal));
      try {
        await eventually(async () => (accepted.length >= before + 20 ? true : undefined));
        return await act();
      } finally {
        stop.abort();
        await Promise.all(customers);
      }
    },
  };
}

/** When jobs were finished, as the store tells whoever waits for one. */
function openFinishes(t: Test, redisUrls: readonly string[]): Map<string, number> {
  const finishedAtMs = new Map<string, number>();
  for (const url of redisUrls) {
    const subscriber = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    t.teardown(() => subscriber.disconnect());
    subscriber.on("error", () => {});
    subscriber.on("message", (_channel, job) => finishedAtMs.set(job, performance.now()));
    subscriber.subscribe("pw:finished-jobs").catch(() => {});
  }
  return finishedAtMs;
}

async function storm(
  client: Client,
  { announced }: Passwright,
  { webhook, pass, job }: Record<"webhook" | "pass" | "job", string>,
): Promise<Timed[]> {
  const { base_url, template_id } = announced;
  const credentials = {
    tenant_id: announced.tenant_id,
    application_id: announced.application_id,
    application_secret: announced.application_secret,
    grant_type: "client_credentials",
  };
  const card = () => ({
    template_id,
    intent: "loyalty_card",
    external_ref: newReference(),
    data: { member: "Ada Lovelace" },
  });
  const calls: Record<string, () => Promise<Reply>> = {
    "POST passes": () => client.post("/api/v1/passes", card()),
    "PATCH pass": () =>
      client.ask(`/api/v1/passes/${pass}`, { method: "PATCH", body: { data: { member: "Grace Hopper" } } }),
    "DELETE pass": () => remove(client, `/api/v1/passes/${pass}`),
    "POST batches": () => client.post("/api/v1/batches", { operations: [{ type: "create", pass: card() }] }),
    "POST messages": () => client.post("/api/v1/messages", { pass_id: pass, header: "Hello", body: "you" }),
    "PATCH webhook": () =>
      client.ask(`/api/v1/webhooks/${webhook}`, { method: "PATCH", body: { is_active: true } }),
    "POST token": () => ask(`${base_url}/api/v1/auth/token`, { body: credentials }),
    "GET passes": () => client.get("/api/v1/passes"),
    "GET pass": () => client.get(`/api/v1/passes/${pass}`),
    "GET job": () => client.get(`/api/v1/jobs/${job}`),
    "GET job, waiting": () => client.get(`/api/v1/jobs/${job}?wait=20`),
    "GET templates": () => client.get("/api/v1/templates"),
    "GET webhooks": () => client.get("/api/v1/webhooks"),
    "GET batches": () => client.get("/api/v1/batches"),
    "GET events": () => client.get("/api/v1/analytics/events"),
    "GET readyz": () => ask(`${base_url}/readyz`),
  };
  const thrice = Object.entries(calls).flatMap((call) => [call, call, call]);
  return Promise.all(
    thrice.map(async ([call, act]) => {
      const startedAt = performance.now();
      const reply = await act();
      return { call, status: reply.status, ms: Math.round(performance.now() - startedAt), reply };
    }),
  );
}

/** With the store away every call is refused in time and says when to come again, and the process itself is well. */
export async function refusesAll(t: Test, outage: Outage): Promise<void> {
  const { refused, others } = await underStorm(t, outage);
  t.strictSame(others, [], `all ${refused} are refused`);
}

/** With a store that can only be read, changes are refused as above. What is read may be, and a token is no change. */
export async function refusesChanges(t: Test, outage: Outage): Promise<void> {
  const { refused, others } = await underStorm(t, outage);
  t.ok(refused > 0);
  const mayBeAnswered = (call: string) => call.startsWith("GET") || call === "POST token";
  const unexpected = others.filter(({ call, status }) => status !== 200 || !mayBeAnswered(call));
  t.strictSame(unexpected, [], "and no change is accepted");
}

async function underStorm(t: Test, { storm, service }: Outage) {
  const startedAt = performance.now();
  const meanwhile = slowestHealth(service);
  const answers = await storm();
  // A second, and what a busy machine adds: as much as it takes to have no store to ask, in that time and after it.
  const limitMs = 1500 + (await meanwhile.end()) + (await idleMs(service));
  const health = await ask(`${service.announced.base_url}/healthz`);
  t.equal(health.status, 200, "healthz is green");
  const refused = answers.filter((answer) => answer.status === 503);
  for (const { call, reply } of refused) {
    t.match(reply.headers["retry-after"], /^[1-9]\d*$/, call);
    if (call !== "GET readyz") t.equal(reply.json.error, "unavailable", call);
  }
  const slowest = answers.reduce((one, other) => (one.ms > other.ms ? one : other));
  const summary = `the slowest of ${answers.length}, ${slowest.call}, took ${slowest.ms} ms`;
  t.ok(slowest.ms < limitMs, `${summary}, of ${Math.round(limitMs)} at most`);
  t.comment(`${summary}, all of them ${Math.round(performance.now() - startedAt)} ms`);
  const others = answers.filter((answer) => answer.status !== 503);
  return { refused: refused.length, others: others.map(({ call, status }) => ({ call, status })) };
}

/** Asks for what needs no store, one call after the other, until its end, which tells how long the slowest took. */
function slowestHealth({ announced }: Passwright): { end(): Promise<number> } {
  let isOver = false;
  const asking = (async () => {
    let slowestMs = 0;
    while (!isOver) {
      const startedAt = performance.now();
      await ask(`${announced.base_url}/healthz`);
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    }
    return slowestMs;
  })();
  return {
    end() {
      isOver = true;
      return asking;
    },
  };
}

/** How long as many calls take that need no store. */
async function idleMs({ announced }: Passwright): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: 48 }, () => ask(`${announced.base_url}/healthz`)));
  return performance.now() - startedAt;
}

/** Serve and worker go on by themselves, in time: nobody has started them again. Answers how long it took. */
export async function carriesOn(t: Test, outage: Outage, sinceMs: number, before: readonly number[]) {
  const { accepted, finished } = await outage.servedSince(sinceMs);
  t.ok(finished < 5000, `a pass was accepted after ${accepted} ms, and a job finished after ${finished} ms`);
  await eventually(async () => ((await outage.workerHealth()).status === 200 ? true : undefined));
  const { base_url } = outage.service.announced;
  await eventually(async () => ((await ask(`${base_url}/readyz`)).status === 200 ? true : undefined));
  for (const pid of before) t.ok(isAlive(pid), `${pid} was not started again`);
  return { accepted, finished };
}
