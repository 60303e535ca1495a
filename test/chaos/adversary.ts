import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { type WorkClass, workClasses } from "../../src/domain/jobs/work.ts";
import type { Fault, FaultKind } from "./fault-plan.ts";
import type { Installation } from "./installation.ts";
import type { KeptProcess } from "./kept-process.ts";
import { type Redelivery, watchRedelivery } from "./redelivery.ts";
import { keys } from "./settled.ts";

export type Deed = {
  kind: FaultKind;
  whom: string;
  /** Since when nothing hinders the service any more: for what lasts, its end. */
  atMs: number;
};

export type Adversary = {
  deeds: Deed[];
  redeliveries: Redelivery[];
  /** Ends when what it began is over. */
  stop(): Promise<void>;
};

/** Does to the service what the plan says, until it is told to stop. */
export function releaseAdversary(
  installation: Installation,
  plan: Iterator<Fault, never>,
  options: { leaseMs: number; tenantIds: readonly string[]; logFile: string },
): Adversary {
  const { redis, workers, serves, store } = installation;
  const deeds: Deed[] = [];
  const redeliveries: Redelivery[] = [];
  const lasting = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  // Faults that may keep others from taking over.
  let disturbances = 0;
  let redisRests: Promise<unknown> = Promise.resolve();

  const queueOf = (target: number): [partition: number, workClass: WorkClass] => {
    const tenant = options.tenantIds[target % options.tenantIds.length] ?? "";
    const workClass = workClasses[Math.floor(target / 64) % workClasses.length] ?? "interactive";
    return [keys.partitionOf(tenant), workClass];
  };
  const log = (words: string): void => {
    appendFileSync(options.logFile, `${new Date().toISOString()} ${words}\n`);
  };
  const note = (kind: FaultKind, whom: string): void => {
    deeds.push({ kind, whom, atMs: Date.now() });
    log(`${kind} ${whom}: done`);
  };
  const inBackground = (work: Promise<unknown>): void => {
    const known: Promise<unknown> = work
      .catch((error) => log(String(error)))
      .finally(() => lasting.delete(known));
    lasting.add(known);
  };
  const pick = (among: readonly KeptProcess[], target: number): KeptProcess | undefined => {
    const ready = among.filter((one) => one.isReady());
    return ready[target % Math.max(ready.length, 1)];
  };
  const frozen = new Set<KeptProcess>();
  const freeze = (victim: KeptProcess, kind: FaultKind, forMs: number): Promise<void> => {
    log(`${kind} ${victim.name}: begins`);
    victim.freeze();
    frozen.add(victim);
    return pause(forMs).then(() => {
      victim.resume();
      frozen.delete(victim);
      note(kind, victim.name);
    });
  };

  const actions: Record<FaultKind, (fault: Fault) => void> = {
    "kill-worker"({ kind, target }) {
      const victim = pick(workers, target);
      if (victim === undefined) return;
      const killed = { pid: victim.pid() ?? 0, atMs: Date.now(), tenantIds: options.tenantIds };
      inBackground(victim.crash());
      note(kind, victim.name);
      const disturbancesBefore = frozen.size > 0 ? -1 : disturbances;
      const isDisturbed = () => disturbances !== disturbancesBefore;
      const watched = watchRedelivery(store, { ...killed, isDisturbed });
      inBackground(watched.then((found) => redeliveries.push(...found)));
    },
    "freeze-worker"({ kind, target, share }) {
      const victim = pick(workers, target);
      // Longer than its lease, so that it comes back as somebody who has lost all that it holds.
      if (victim !== undefined && !frozen.has(victim)) {
        inBackground(freeze(victim, kind, options.leaseMs * (1.2 + share)));
      }
    },
    "kill-serve"({ kind, target }) {
      const victim = pick(serves, target);
      if (victim === undefined) return;
      inBackground(victim.crash());
      note(kind, victim.name);
    },
    "kill-redis"({ kind }) {
      redisRests = redis.crash().then(() => log(`${redis.name} is back`));
      note(kind, redis.name);
    },
    "freeze-redis"({ kind, share }) {
      redisRests = freeze(redis, kind, 1000 + 1500 * share);
    },
    "cut-connections"({ kind }) {
      inBackground(store.call("CLIENT", "KILL", "TYPE", "normal").then(() => note(kind, "all")));
    },
    "delete-stream"({ kind, target }) {
      const stream = keys.queue(...queueOf(target));
      inBackground(store.del(stream).then(() => note(kind, stream)));
    },
    "delete-waiting"({ kind, target }) {
      const ready = keys.ready(...queueOf(target));
      inBackground(store.del(ready).then(() => note(kind, ready)));
    },
    "destroy-group"({ kind, target }) {
      const stream = keys.queue(...queueOf(target));
      const destroyed = store.xgroup("DESTROY", stream, "workers").catch(() => {});
      inBackground(destroyed.then(() => note(kind, stream)));
    },
  };

  const going = (async () => {
    for (;;) {
      const { value: fault } = plan.next();
      // Two at once would be one for Redis, and one right after the other would leave nobody the time to come back.
      await redisRests;
      await pause(fault.afterMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      if (fault.kind !== "kill-serve") disturbances += 1;
      actions[fault.kind](fault);
    }
  })();

  return {
    deeds,
    redeliveries,
    async stop() {
      stopping.abort();
      await going;
      await redisRests;
      while (lasting.size > 0) await Promise.all(lasting);
    },
  };
}
