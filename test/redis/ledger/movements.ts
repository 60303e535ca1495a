import { randomUUID } from "node:crypto";
import t from "tap";
import type { BatchOperation } from "../../../src/domain/batches/batch.ts";
import { cancelBatch } from "../../../src/domain/batches/cancel.ts";
import { createBatch } from "../../../src/domain/batches/create.ts";
import { processBatch } from "../../../src/domain/batches/process.ts";
import { addCredits } from "../../../src/domain/credits/add.ts";
import { PasswrightError } from "../../../src/domain/errors.ts";
import type { Task } from "../../../src/domain/jobs/work.ts";
import { updatePass } from "../../../src/domain/passes/update.ts";
import type { Billing } from "../../../src/domain/tenants/tenant.ts";
import { createBatchStore, createBatchWork } from "../../../src/redis/batches.ts";
import { createCreditStore } from "../../../src/redis/credits.ts";
import { createPaidSessionStore } from "../../../src/redis/paid-sessions.ts";
import { createPassStore } from "../../../src/redis/passes.ts";
import { allScripts } from "../../../src/redis/scripts.ts";
import { createRandom } from "../../e2e/model/random.ts";
import { openDeadLetters } from "../../support/dead-letters.ts";
import { keyOf, openIssuer, passOf } from "../../support/issuer.ts";
import { ledgerComplaints, movementsOf } from "../../support/ledger.ts";
import { readableLog } from "../../support/log.ts";
import { openStore, type TestStore } from "../../support/store.ts";
import { claimOf, completed, failed, openQueue, settle } from "../../support/work.ts";

// PASSWRIGHT_LEDGER_SEED=N repeats a run, PASSWRIGHT_LEDGER_OPERATIONS=N makes it longer or shorter.
const seed = Number(process.env.PASSWRIGHT_LEDGER_SEED ?? Math.floor(Math.random() * 2 ** 31));
const operations = Number(process.env.PASSWRIGHT_LEDGER_OPERATIONS ?? 1500);
const bills: Billing[] = [
  { mode: "prepaid", credits: 40 },
  { mode: "contract", monthlyCap: 300 },
];
const never = new AbortController().signal;

t.setTimeout(300_000);

/** The store of a process that dies now and then at one of its scripts: before it, or after Redis has done it. */
function dyingNowAndThen(store: TestStore, random: ReturnType<typeof createRandom>): TestStore {
  const killed = (): never => {
    throw new PasswrightError("unavailable", "killed");
  };
  return {
    ...store,
    async run(...script) {
      if (random.chance(0.05)) killed();
      const reply = await store.run(...script);
      return random.chance(0.05) ? killed() : reply;
    },
  };
}

/** A tenant of whose passes, batches and credits everything happens, in an order that a seed repeats. */
async function openTraffic(store: TestStore, billing: Billing, chance: number) {
  const random = createRandom(chance);
  const dying = dyingNowAndThen(store, random);
  const issuer = await openIssuer(store, { billing });
  const { tenantId, templateId } = issuer;
  const queue = await openQueue(store);
  const dead = openDeadLetters(dying);
  const batches = createBatchStore(dying);
  const sessions = createPaidSessionStore(dying);
  const deps = {
    ...issuer,
    batches,
    passes: createPassStore(dying),
    credits: createCreditStore(dying),
    batchWork: createBatchWork(dying, store.clock),
    jobRetrySchedule: [0],
    log: readableLog(),
  };
  const accepted = { traceId: "t", workClass: "interactive" } as const;
  const passes: string[] = [];
  const waiting: string[] = [];
  const paid: { sessionId: string; credits: number }[] = [];

  /** Asks until the process has lived through it: what is asked again is the same request. */
  const insist = async <Result>(ask: () => Promise<Result>): Promise<Result | null> => {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof PasswrightError)) throw error;
        if (error.code !== "unavailable") return null;
      }
    }
  };
  const create = async () => {
    const input = { externalRef: randomUUID(), idempotency: keyOf(randomUUID(), {}) };
    const made = await insist(() => issuer.create(input, dying));
    if (made !== null) passes.push(passOf(made).id);
  };
  const update = async () => {
    if (passes.length === 0) return;
    const request = { ...accepted, tenantId, name: { passId: random.pick(passes) }, data: {} };
    const idempotency = keyOf(randomUUID(), {});
    await insist(() => updatePass(deps, { ...request, idempotency }));
  };
  const add = async () => {
    // Whoever gives the command again adds again: it is not repeated here.
    await addCredits(deps, { tenantId, amount: 1 + random.below(9), operator: "ada@host" }).catch((error) => {
      if (!(error instanceof PasswrightError)) throw error;
    });
  };
  const grant = async () => {
    const repeated = paid.length > 0 && random.chance(0.5);
    const session = repeated ? random.pick(paid) : { sessionId: randomUUID(), credits: 1 + random.below(9) };
    if (!repeated) paid.push(session);
    await insist(() => sessions.grant({ ...session, tenantId, packageId: "starter" }, 1));
  };
  const beginBatch = async () => {
    const operations: BatchOperation[] = Array.from({ length: 1 + random.below(6) }, () => ({
      ...({ type: "create", templateId, intent: "loyalty_card" } as const),
      // Some are refused when it is their turn, and give their credit back.
      ...{ externalRef: randomUUID(), data: random.chance(0.8) ? { name: "Ada" } : {} },
    }));
    const input = { tenantId, name: null, operations, idempotency: keyOf(randomUUID(), {}) };
    const made = await insist(() => createBatch(deps, { ...input, traceId: "t" }));
    if (made !== null) waiting.push(JSON.parse(made.body).id);
  };
  const cancel = async () => {
    const batchId = waiting.pop();
    if (batchId === undefined) return;
    const idempotency = keyOf(randomUUID(), {});
    await insist(() => cancelBatch(deps, { tenantId, batchId, idempotency }));
  };
  const carryOut = async (task: Task) => {
    if (task.record.type === "batch.process") await insist(() => processBatch(deps, task, never));
    else {
      const outcome = random.chance(0.4)
        ? failed("provider_unavailable", { bury: random.chance(0.5) })
        : completed;
      await insist(() => settle(dying, task, outcome));
    }
  };
  const replay = async () => {
    const letters = await dead.list({ limit: 20 });
    if (letters.length > 0) await insist(() => dead.replay(random.pick(letters)));
  };
  const work = async () => {
    for (const task of await claimOf(queue, issuer)) await carryOut(task);
  };
  const wait = async () => store.clock.forward(random.below(5) * 86_400_000);
  const acts = { create, update, add, grant, beginBatch, cancel, replay, work, wait };
  const weights = {
    create: 40,
    update: 15,
    add: 6,
    grant: 8,
    beginBatch: 6,
    cancel: 3,
    replay: 6,
    work: 20,
    wait: 2,
  };

  return {
    tenantId,
    async happen(count: number): Promise<void> {
      for (let done = 0; done < count; done += 1) await acts[random.weighted(weights)]();
    },
    complaints: () => ledgerComplaints(store, tenantId),
  };
}

for (const billing of bills) {
  t.test(
    `${operations} random acts of dying processes: the ledger is the balance (${billing.mode})`,
    async (t) => {
      const store = await openStore(t, { partitions: 1 });
      const traffic = await openTraffic(store, billing, seed);
      for (let part = 0; part < 5; part += 1) {
        await traffic.happen(operations / 5);
        t.strictSame(await traffic.complaints(), [], `PASSWRIGHT_LEDGER_SEED=${seed}`);
      }
      const movements = await movementsOf(store, traffic.tenantId);
      const reasons = Map.groupBy(movements, ({ reason }) => reason);
      t.comment(Object.fromEntries([...reasons].map(([reason, all]) => [reason, all.length])));
      for (const reason of ["charged", "returned", "reserved", "released"] as const) {
        t.ok((reasons.get(reason)?.length ?? 0) > operations / 200, `${reason} happened`);
      }
    },
  );
}

/** Puts a mistake into the scripts that a store runs. */
function plant(store: TestStore, find: string, by: string): void {
  let planted = 0;
  for (const { name, text } of allScripts()) {
    if (!text.includes(find)) continue;
    const [script, isJoined] = [name.split(",")[0] ?? "", name.endsWith(", joined")];
    store.connection.defineCommand(`${isJoined ? "join" : "run"}:${script}`, { lua: text.replace(find, by) });
    planted += 1;
  }
  if (planted === 0) throw new Error(`no script says ${find}`);
}

const entry = "  write_entry(credits, account, reason, reference, amount, after)\n";
const charge = "take_credits(KEYS[3], ARGV[9], 1, 'charged', ARGV[5])";
const mistakes = {
  "a charge without an entry": [
    entry,
    "  if reason ~= 'charged' then write_entry(credits, account, reason, reference, amount, after) end\n",
  ],
  "an entry without its movement": [
    "redis.call('HSET', credits, account, after, 'recorded:' .. account, after)",
    "",
  ],
  "an entry twice": [entry, entry + entry],
  "a double charge with its entry": [
    charge,
    `${charge}\n  take_credits(KEYS[3], ARGV[9], 1, 'charged', ARGV[5])`,
  ],
  "a double charge without one": [charge, `${charge}\n  redis.call('HINCRBY', KEYS[3], charge, -1)`],
  "a free pass": [charge, "'balance'"],
  "a credit that comes back twice": ["charge == 'balance' and amount or -amount", "2 * amount"],
} as const;

for (const [mistake, [find, by]] of Object.entries(mistakes)) {
  t.test(`${mistake} is found`, async (t) => {
    const store = await openStore(t, { partitions: 1 });
    const traffic = await openTraffic(store, { mode: "prepaid", credits: 500 }, 1);
    await traffic.happen(60);
    t.strictSame(await traffic.complaints(), [], "there is none before");
    plant(store, find, by);
    await traffic.happen(60);
    t.not((await traffic.complaints()).length, 0);
  });
}
