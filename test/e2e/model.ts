import t, { type Test } from "tap";
import type { Billing } from "../../src/domain/tenants/tenant.ts";
import { content, type Issuer, icon, openIssuer } from "../support/issuer.ts";
import { ledgerComplaints } from "../support/ledger.ts";
import { openService, type Service } from "../support/service.ts";
import { beginBatch, type OpenBatch, settleBatch } from "./model/batches.ts";
import { createCaller } from "./model/caller.ts";
import { agree, createJournal, Divergence, type Journal } from "./model/journal.ts";
import { type Client, createClient, touchOwnPass } from "./model/own-passes.ts";
import { createRandom } from "./model/random.ts";
import { touchSharedPass } from "./model/shared-passes.ts";
import type { ModelTenant } from "./model/tenant.ts";
import { paidPasses, verifyTenant } from "./model/verify.ts";
import { createWallets } from "./model/wallets.ts";

// PASSWRIGHT_MODEL_SEED=N repeats a run, PASSWRIGHT_MODEL_OPERATIONS=N makes it longer or shorter.
const seed = Number(process.env.PASSWRIGHT_MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));
const operations = Number(process.env.PASSWRIGHT_MODEL_OPERATIONS ?? 20_000);

t.setTimeout(300_000);

t.test(`${operations} random operations of many callers leave exactly what a plain model says`, async (t) => {
  const wallets = createWallets();
  const service = await openService(t, {
    providers: wallets,
    workers: 2,
    settings: { PASSWRIGHT_JOB_RETRY_SCHEDULE: "0s,2ms,2ms,2ms", PASSWRIGHT_JOB_LEASE: "60s" },
  });
  const journal = createJournal();
  const wishes: { name: string; billing: Billing; clients: number }[] = [
    { name: "plenty", billing: { mode: "prepaid", credits: 1_000_000 }, clients: 5 },
    { name: "contract", billing: { mode: "contract", monthlyCap: 300 }, clients: 3 },
    { name: "poor", billing: { mode: "prepaid", credits: 150 }, clients: 1 },
  ];
  const tenants = await Promise.all(wishes.map((wish) => takeIn(t, service, { ...wish, journal })));
  const everybody = tenants.flatMap(({ clients }) => clients);
  const share = Math.ceil(operations / everybody.length);
  try {
    const counts = await Promise.all(everybody.map((client) => operate(client, share)));
    const done = counts.reduce((sum, count) => sum + count, 0);
    t.ok(done >= operations, `${done} operations`);
    for (const { tenant, clients } of tenants) {
      const facts = await verifyTenant(tenant, clients, wallets);
      t.comment(`${tenant.name}: ${JSON.stringify({ ...facts, statuses: countsOf(facts.statuses) })}`);
      t.ok(facts.passes > 0, `${tenant.name}: every pass, version, job, batch and list agrees`);
      await verifyMoney(t, service, tenant);
    }
    t.strictSame(wallets.complaints, [], "the wallets saw every operation in its order");
    for (const queue of service.queues) {
      t.strictSame(await queue.claim(service.partitions, 1), [], "nothing waits");
      t.strictSame(await queue.promoteDue(0), { promoted: 0, nextDueAtMs: null }, "nothing is put off");
    }
  } catch (error) {
    if (!(error instanceof Divergence)) throw error;
    t.fail(error.message, {
      seed,
      repeat: `PASSWRIGHT_MODEL_SEED=${seed}`,
      log: journal.excerpt(error.about),
    });
  }
});

async function takeIn(
  t: Test,
  service: Service,
  wish: { name: string; billing: Billing; clients: number; journal: Journal },
): Promise<{ tenant: ModelTenant; clients: Client[] }> {
  const { name, billing, journal } = wish;
  const issuer = await openIssuer(service.issuing, { billing });
  const { ask, close } = createCaller(service.url, await service.tokenOf(issuer.tenantId));
  t.teardown(close);
  const second = await publishAnother(service, issuer);
  const funds = billing.mode === "prepaid" ? billing.credits : billing.monthlyCap;
  const tenant: ModelTenant = {
    ...{ name, id: issuer.tenantId, templates: [issuer.templateId, second], ask, journal },
    ledger: { mode: billing.mode, funds, charged: 0, asked: 0 },
    ...{ shared: new Map(), sharedKeys: new Map(), batches: new Map() },
  };
  const clients = Array.from({ length: wish.clients }, (_, i) => {
    const chance = createRandom(seed * 31 + wishNumber(name) * 7 + i);
    return createClient(`${name}-${i}`, tenant, chance);
  });
  return { tenant, clients };
}

/** A second template like the tenant's first. */
async function publishAnother(service: Service, { tenantId, templateId }: Issuer): Promise<string> {
  const first = await service.templates.find(tenantId, templateId);
  if (first === null) throw new Error("there is no template");
  const template = { ...first, id: service.ids.uuid(), name: "Another card" };
  const images = new Map([["icon.png", icon]]);
  await service.templates.publish({ template, content, images, publishedAtMs: service.clock.nowMs() });
  return template.id;
}

function wishNumber(name: string): number {
  return [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
}

/** A client's share of operations, those within batches counted one by one. Up to two batches run beside the rest. */
async function operate(client: Client, share: number): Promise<number> {
  const { random } = client;
  const open: OpenBatch[] = [];
  let done = 0;
  while (done < share) {
    const act = random.weighted({ own: 82, shared: 12, batch: open.length < 2 ? 2 : 0, settle: open.length });
    if (act === "own") await touchOwnPass(client);
    else if (act === "shared") await touchSharedPass(client);
    else if (act === "batch") {
      const batch = await beginBatch(client);
      if (batch !== null) open.push(batch);
      done += batch?.operations.length ?? 0;
    } else {
      const batch = open.shift();
      if (batch !== undefined) await settleBatch(client, batch);
    }
    done += 1;
  }
  for (const batch of open) await settleBatch(client, batch);
  return done;
}

/** Initial = balance + live charges; the same of a contract's month. */
async function verifyMoney(t: Test, service: Service, tenant: ModelTenant) {
  const { mode, funds } = tenant.ledger;
  const { connection, keys } = service.issuing;
  const paid = await paidPasses(
    tenant,
    async (id) => (await connection.hexists(keys.pass(tenant.id, id), "charge")) === 1,
  );
  const balance = await service.tenants.balance(tenant.id, service.clock.nowMs());
  const wanted =
    mode === "prepaid" ? { mode, credits: funds - paid } : { mode, monthlyCap: funds, usedThisMonth: paid };
  t.comment(`${tenant.name}: ${JSON.stringify(balance)} with ${paid} passes paid`);
  agree(tenant.name, "the money", balance, wanted);
  t.strictSame(balance, wanted, `${tenant.name}: money adds up`);
  t.strictSame(
    await ledgerComplaints({ connection, keys }, tenant.id),
    [],
    `${tenant.name}: so does the ledger`,
  );
}

function countsOf(words: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length]));
}
