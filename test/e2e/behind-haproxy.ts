import { setTimeout as pause } from "node:timers/promises";
import t from "tap";
import { startHaproxy } from "../support/haproxy.ts";
import { type Client, signIn } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { newReference } from "./support/passes.ts";
import { newMasterKey, startPasswright } from "./support/passwright.ts";
import { whileWorkerPauses } from "./support/paused-worker.ts";
import { childrenOf } from "./support/processes.ts";
import { ask, type Reply } from "./support/requests.ts";
import { startServe } from "./support/serve.ts";

// HAProxy with the production configuration in front of two processes of the built product.

t.setTimeout(240_000);
const settings = {
  PASSWRIGHT_MASTER_KEY: newMasterKey(),
  PASSWRIGHT_TRUSTED_PROXIES: "127.0.0.1/32",
  PASSWRIGHT_TOKEN_RATE_LIMIT: "100/1m",
};
const service = await startPasswright(t, { settings });
const { announced } = service;
const first = announced.base_url;
const second = await startServe(t, service, { ...settings, PASSWRIGHT_BASE_URL: first });
const port = await startHaproxy(
  t,
  [first, second].map((url) => Number(new URL(url).port)),
);
const proxy = `http://127.0.0.1:${port}`;
await eventually(async () => ((await ask(`${proxy}/readyz`)).status === 200 ? true : undefined));
const client = await signIn(proxy, announced);

const card = () => ({
  template_id: announced.template_id,
  intent: "loyalty_card",
  external_ref: newReference(),
  data: { member: "Ada Lovelace" },
});

t.test(
  "requests pass, to both processes, and a caller may wait for a job as long as it is documented",
  async (t) => {
    const answered = async (url: string) => {
      const { text } = await ask(url);
      const counts = [
        ...text.matchAll(/^passwright_http_requests_total\{.*route="\/api\/v1\/passes".*\} (\d+)$/gm),
      ];
      return counts.reduce((sum, [, count]) => sum + Number(count), 0);
    };
    const before = await answered(announced.metrics_url);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => client.post("/api/v1/passes", card())),
    );
    t.strictSame(
      replies.map(({ status }) => status),
      Array(20).fill(202),
    );
    const here = (await answered(announced.metrics_url)) - before;
    t.ok(here > 0 && here < 20, `${here} of 20 went to the first`);

    const waited = await whileWorkerPauses(service, async () => {
      const { job_id } = (await client.post("/api/v1/passes", card())).json;
      const began = performance.now();
      const reply = await client.get(`/api/v1/jobs/${job_id}?wait=20`);
      return { reply, ms: performance.now() - began };
    });
    t.equal(waited.reply.status, 200);
    t.match(waited.reply.json.status, /queued|running/);
    t.ok(waited.ms > 19_000, "it was held for the whole time");
  },
);

t.test("the address of each client arrives, whatever he says of himself", async (t) => {
  const remaining = async (from: string, forwarded?: string): Promise<number> => {
    const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
    const reply = await ask(`${proxy}/api/v1/auth/token`, { body: {}, from, headers });
    t.equal(reply.status, 400);
    return Number(reply.headers["ratelimit-remaining"]);
  };
  t.equal(await remaining("127.0.3.1"), 99);
  t.equal(await remaining("127.0.3.1", "198.51.100.7"), 98, "what he wrote is not believed");
  t.equal(await remaining("127.0.3.2"), 99, "the next one has a window of his own");
  t.equal(await remaining("127.0.3.2", "127.0.3.1"), 98, "and takes nothing from others");
});

t.test(
  "a process that is killed costs only what it was answering, and none of that is sent twice",
  async (t) => {
    const accepted: string[] = [];
    const failures: Refusal[] = [];
    const stop = new AbortController();
    const makers = Array.from({ length: 4 }, () => keepCreating(client, accepted, failures, stop.signal));
    const readers = Array.from({ length: 2 }, () => keepReading(client, stop.signal));
    await eventually(async () => (accepted.length > 20 ? true : undefined));
    const victim = childrenOf(service.pid).find(({ command }) => command.includes("serve"));
    process.kill(victim?.pid ?? 0, "SIGKILL");
    const soFar = accepted.length;
    await eventually(async () => (accepted.length > soFar + 60 ? true : undefined));
    stop.abort();
    await Promise.all(makers);
    t.ok(
      failures.length <= 4,
      `${failures.length} of ${accepted.length + failures.length}: at most one for each caller`,
    );
    t.strictSame(
      failures.filter(
        ({ status, error }) => status !== 502 || error !== "the service is not reachable, try again soon",
      ),
      [],
      "and they were told to try again",
    );
    t.strictSame((await Promise.all(readers)).flat(), [], "who only read had an answer every time");
    for (const id of accepted)
      t.equal((await client.get(`/api/v1/passes/${id}`)).status, 200, "what was accepted is there");
  },
);

t.test("a process that is stopped costs nothing", async (t) => {
  const accepted: string[] = [];
  const failures: Refusal[] = [];
  const stop = new AbortController();
  const makers = Array.from({ length: 4 }, () => keepCreating(client, accepted, failures, stop.signal));
  await eventually(async () => (accepted.length > 20 ? true : undefined));
  // Its supervisor starts it again.
  const told = childrenOf(service.pid).find(({ command }) => command.includes("serve"));
  process.kill(told?.pid ?? 0, "SIGTERM");
  const soFar = accepted.length;
  await eventually(async () => (accepted.length > soFar + 60 ? true : undefined));
  stop.abort();
  await Promise.all(makers);
  t.strictSame(failures, []);
});

type Refusal = { status: number; error: string };

/** Makes passes until told to stop. */
async function keepCreating(
  who: Client,
  accepted: string[],
  failures: Refusal[],
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    const reply = await asked(who, "/api/v1/passes", card());
    if (reply.status === 202) accepted.push(reply.json.id);
    else failures.push({ status: reply.status, error: reply.json?.error_description });
  }
}

/** Reads until told to stop; answers with what else than 200 came. */
async function keepReading(who: Client, stop: AbortSignal): Promise<Refusal[]> {
  const failures: Refusal[] = [];
  while (!stop.aborted) {
    const reply = await asked(who, "/api/v1/templates");
    if (reply.status !== 200) failures.push({ status: reply.status, error: reply.json?.error_description });
  }
  return failures;
}

/** A request on a connection of its own. What a starved machine makes the service itself refuse is asked again, as it says. */
async function asked(who: Client, path: string, body?: object): Promise<Reply> {
  for (;;) {
    const headers = { authorization: `Bearer ${who.token}` };
    const reply = await ask(`${proxy}${path}`, { headers, ...(body && { body }) });
    if (reply.status !== 503 || !/^The store does not answer/.test(reply.json?.error_description))
      return reply;
    await pause(Number(reply.headers["retry-after"]) * 1000);
  }
}
