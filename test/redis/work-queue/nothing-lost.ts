import fc from "fast-check";
import t, { type Test } from "tap";
import type { Task } from "../../../src/domain/jobs/work.ts";
import { revokePass } from "../../../src/domain/passes/revoke.ts";
import { updatePass } from "../../../src/domain/passes/update.ts";
import { createPassWork } from "../../../src/redis/pass-work.ts";
import { openIssuer, passOf } from "../../support/issuer.ts";
import { openStore } from "../../support/store.ts";
import { until } from "../../support/until.ts";
import { completed, depth, failed, openQueue, settle } from "../../support/work.ts";

const request = { idempotency: null, traceId: "4bf92f3577b34da6a3ce929d0e0e4736" };
const away = { code: "provider_unavailable", description: "away" };

/** Three tenants and two workers of one partition, and all that they and a careless operator can do to its queues. */
async function stage(t: Test) {
  const store = await openStore(t, { partitions: 1 });
  const { connection, keys, clock } = store;
  const issuers = [
    await openIssuer(store),
    await openIssuer(store),
    await openIssuer(store, { wallets: ["google"] }),
  ];
  // Without a lease whatever is in hand may be taken for lost at any time.
  const queues = [await openQueue(store, { leaseMs: 0 }), await openQueue(store, { leaseMs: 0 })];
  const work = createPassWork(store, clock);
  const passes: { issuer: (typeof issuers)[number]; id: string }[] = [];
  const jobs: string[] = [];
  /** What workers think that they hold; some of it they have lost long ago. */
  let held: Task[] = [];

  const accept = (tenantId: string, accepted: { body: string }): void => {
    jobs.push(keys.record(tenantId, "job", passOf(accepted).job_id));
  };
  const one = <Item>(list: readonly Item[], choice: number): Item | undefined => list[choice % list.length];
  /** Now and then work is done with twice. */
  const leave = (choice: number): Task[] => {
    const task = one(held, choice);
    if (choice % 5 > 0) held = held.filter((other) => other !== task);
    return task === undefined ? [] : [task];
  };
  const workClass = (choice: number) => (choice % 3 === 0 ? "bulk" : "interactive");

  const steps = {
    async create(choice: number) {
      const issuer = one(issuers, choice);
      if (issuer === undefined) return;
      const created = await issuer.create({ workClass: workClass(choice) });
      passes.push({ issuer, id: passOf(created).id });
      accept(issuer.tenantId, created);
    },
    async change(choice: number) {
      const pass = one(passes, choice);
      if (pass === undefined) return;
      const { issuer, id } = pass;
      const change = {
        ...request,
        tenantId: issuer.tenantId,
        name: { passId: id },
        workClass: workClass(choice),
      } as const;
      const changed =
        choice % 13 === 0 ? revokePass(issuer, change) : updatePass(issuer, { ...change, data: {} });
      const accepted = await changed.catch((error: { code?: string }) => {
        if (error.code !== "invalid_state") throw error;
      });
      if (accepted) accept(issuer.tenantId, accepted);
    },
    async claim(choice: number) {
      const passOver = choice % 2 === 0 ? [one(issuers, choice)?.tenantId ?? ""] : [];
      held.push(...((await one(queues, choice)?.claim([0], 1 + (choice % 4), { passOver })) ?? []));
    },
    async settle(choice: number) {
      const outcome = choice % 4 === 0 ? failed("provider_rejected", { bury: choice % 8 === 0 }) : completed;
      for (const task of leave(choice)) await settle(store, task, outcome);
    },
    settleTogether: () => Promise.all(held.splice(0, 5).map((task) => settle(store, task, completed))),
    async retry(choice: number) {
      for (const task of leave(choice)) await work.retryLater(task, away, clock.nowMs() + choice);
    },
    handBack: async (choice: number) => one(queues, choice)?.handBack(leave(choice)),
    async postpone(choice: number) {
      for (const task of leave(choice)) await one(queues, choice)?.postpone(task, choice);
    },
    renew: async (choice: number) => one(queues, choice)?.renew(held),
    async promote(choice: number) {
      clock.forward(choice);
      await one(queues, choice)?.promoteDue(clock.nowMs());
    },
    reclaim: async (choice: number) => choice % 4 === 0 && one(queues, choice)?.reclaimLost(),
    reconcile: async (choice: number) => one(queues, choice)?.reconcile(0),
    async die(choice: number) {
      if (choice % 3 === 0) held = [];
    },
    async destroy(choice: number) {
      const stream = keys.queue(0, workClass(choice));
      const beside = [stream, ...["ready", "turns", "bell", "delayed"].map((name) => `${stream}:${name}`)];
      const victim = one([...beside, keys.reconciled(0), ""], choice) ?? "";
      if (choice % 2 > 0) return;
      if (victim !== "") await connection.del(victim);
      else await connection.xgroup("DESTROY", stream, "workers").catch(() => {});
    },
  };

  /** From here on one worker does its work, and nobody disturbs it. */
  const workOn = async (): Promise<boolean> => {
    const [queue] = queues;
    clock.forward(2000);
    await queue?.reconcile(0);
    await queue?.promoteDue(clock.nowMs());
    await queue?.reclaimLost();
    for (const task of (await queue?.claim([0], 1000)) ?? []) await settle(store, task, completed);
    const left = await depth(store, 0);
    return left.entries + left.pending + (await connection.zcard(keys.openRecords(0))) === 0;
  };
  return { store, steps, jobs, passes, workOn };
}

type Step = keyof Awaited<ReturnType<typeof stage>>["steps"];
const often: Step[] = ["create", "change", "change", "claim", "claim", "settle", "settle", "settleTogether"];
const seldom: Step[] = [
  "retry",
  "handBack",
  "postpone",
  "renew",
  "promote",
  "reclaim",
  "reconcile",
  "die",
  "destroy",
];

t.test(
  "whatever workers, callers and operators do, what was accepted ends once, and nothing is left of it",
  async (t) => {
    const step = fc.tuple(fc.constantFrom(...often, ...seldom), fc.nat({ max: 999 }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 100, maxLength: 300 }), async (script) => {
        const { store, steps, jobs, passes, workOn } = await stage(t);
        const { connection, keys } = store;
        for (const [name, choice] of script) await steps[name](choice);
        await until("all is done", workOn, 5000);
        for (const job of jobs) {
          const facts = await connection.hgetall(job);
          if (facts.ends !== "1") throw new Error(`A job has ended ${facts.ends} times.`);
          if (facts.status === "completed" && facts.done !== facts.total)
            throw new Error("A job is half done.");
        }
        for (const { issuer, id } of passes) {
          const facts = await connection.hgetall(keys.pass(issuer.tenantId, id));
          const lanes = Object.keys(facts).filter((name) => /:(job|next)$/.test(name));
          if (lanes.length > 0) throw new Error(`A pass keeps ${lanes.join(" ")}.`);
        }
        const turns = [keys.turns(0, "interactive"), keys.turns(0, "bulk")];
        if ((await connection.exists(...turns)) > 0) throw new Error("Something is left of the queue.");
      }),
      { numRuns: 12, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false },
    );
  },
);
