import t from "tap";
import { type Client, signIn } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { createTenant } from "./support/operator.ts";
import { finished, newReference } from "./support/passes.ts";
import { metricsAnywhere, newMasterKey, startPasswright } from "./support/passwright.ts";
import { childrenOf, isAlive } from "./support/processes.ts";

// Batches of thousands on the built program, with the sandbox's wallets: what they do to others, and what they survive.

t.setTimeout(300_000);

const service = await startPasswright(t, {
  settings: {
    ...metricsAnywhere,
    PASSWRIGHT_MASTER_KEY: newMasterKey(),
    PASSWRIGHT_TOKEN_RATE_LIMIT: "1000/1m",
    PASSWRIGHT_JOB_LEASE: "2s",
  },
});
const { base_url: baseUrl, template_id: templateId } = service.announced;
const wallets = ["apple", "google"] as const;
const newcomer = async () =>
  signIn(baseUrl, await createTenant(service, { name: "Example", funds: ["--credits", "20000"], wallets }));

function card(externalRef: string) {
  return {
    template_id: templateId,
    intent: "loyalty_card",
    external_ref: externalRef,
    data: { member: "Ada Lovelace" },
  };
}

/** How long a single pass takes, from its request until it is in both wallets. */
async function issueOne(client: Client): Promise<number> {
  const began = performance.now();
  const accepted = await client.post("/api/v1/passes", card(newReference()));
  const job = await finished(client, accepted);
  if (job.json.status !== "completed") throw new Error(`a single pass ended as ${job.text}`);
  return performance.now() - began;
}

async function issueSome(client: Client, count: number): Promise<number[]> {
  const samples: number[] = [];
  while (samples.length < count) samples.push(await issueOne(client));
  return samples.sort((a, b) => a - b);
}

const at = (samples: readonly number[], share: number): number =>
  samples[Math.floor(share * (samples.length - 1))] ?? Number.NaN;

t.test("the worker killed in the middle of a batch: it is finished, nothing is done twice", async (t) => {
  const tenant = await newcomer();
  const refs = Array.from({ length: 200 }, (_, i) => `survivor-${i}`);
  const operations = refs.flatMap((ref) => [
    { type: "create", pass: card(ref) },
    ...[1, 2, 3, 4].map((n) => ({ type: "update", external_ref: ref, data: { points: String(n) } })),
  ]);
  const accepted = await tenant.post("/api/v1/batches", { operations });
  t.equal(accepted.status, 202, accepted.text);
  const { id, job_id } = accepted.json;
  const progress = async (): Promise<number> =>
    (await tenant.get(`/api/v1/jobs/${job_id}`)).json.progress.done;
  for (const done of [100, 500]) {
    const victim = await eventually(async () => {
      const worker = childrenOf(service.pid).find(({ command }) => / worker /.test(`${command} `));
      return worker !== undefined && (await progress()) >= done ? worker : undefined;
    }, 60_000);
    process.kill(victim.pid, "SIGKILL");
    await eventually(async () => (isAlive(victim.pid) ? undefined : true));
  }
  t.ok((await progress()) < operations.length, "it was in the middle");
  const job = await finished(tenant, accepted);
  t.match(job.json, { status: "completed", progress: { done: 1000, total: 1000 } });
  const ended = (await tenant.get(`/api/v1/batches/${id}`)).json;
  t.match(ended, { status: "completed", succeeded: 1000, failed: 0, errors: [] });

  const twice: string[] = [];
  for (const ref of refs) {
    const { json } = await tenant.get(`/api/v1/passes?external_ref=${ref}`);
    const [pass] = json.data;
    const { json: history } = await tenant.get(`/api/v1/passes/${pass.id}/versions`);
    const points = history.data.map(({ data }: { data: { points?: string } }) => data.points);
    if (points.join() !== "4,3,2,1,") twice.push(`${ref}: ${points}`);
  }
  t.strictSame(twice, [], "every pass has its five versions, once each and in their order");
  t.equal((await tenant.get("/api/v1/passes?page_size=1")).json.total, refs.length);
  const { credits } = (await service.cli("tenants", "show", tenant.tenantId, "--json")).json();
  t.equal(credits, 20_000 - refs.length);
});

t.test("a batch of ten thousand delays another tenant's single pass by less than a second", async (t) => {
  const [large, other] = await Promise.all([newcomer(), newcomer()]);
  await issueSome(other, 10);
  const idle = await issueSome(other, 40);
  const operations = Array.from({ length: 10_000 }, (_, i) => ({ type: "create", pass: card(`large-${i}`) }));
  const submitted = large.post("/api/v1/batches", { operations });
  // Some while the batch is taken in, most while it is carried out and its passes are issued.
  const during = await issueSome(other, 100);
  const batch = await submitted;
  t.equal(batch.status, 202, batch.text);
  const job = await large.get(`/api/v1/jobs/${batch.json.job_id}`);
  t.equal(job.json.status, "running", "the batch was there all the time");
  t.ok(job.json.progress.done > 0, `and went on meanwhile: ${job.json.progress.done} operations`);
  const times = (samples: readonly number[]) =>
    [0.5, 0.9, 1].map((share) => `${Math.round(at(samples, share))} ms`).join(", ");
  t.comment(`p50, p90, max: idle ${times(idle)}; during the batch ${times(during)}`);
  t.ok(at(during, 0.5) - at(idle, 0.5) < 1000, `the median: ${times(during)}, idle ${times(idle)}`);
  t.ok(at(during, 0.9) - at(idle, 0.9) < 1000, `nine of ten: ${times(during)}, idle ${times(idle)}`);
});
