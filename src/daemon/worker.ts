import type { WorkerRoll } from "../domain/jobs/queue-look.ts";
import { type WorkClass, type WorkQueue, workClasses } from "../domain/jobs/work.ts";
import { observeAll, unobserved, type WorkObserver } from "../domain/jobs/work-observer.ts";
import { createWorkTimes } from "../domain/jobs/work-times.ts";
import type { Log } from "../domain/log.ts";
import type { Breakers } from "../domain/webhooks/breaker.ts";
import type { Outbox } from "../domain/webhooks/webhook.ts";
import { tendBreakers } from "./breaker-tender.ts";
import { createConsumer, type TaskHandler } from "./consumer.ts";
import { type RunOnce, runLoop } from "./loop.ts";
import { createRounds } from "./rounds.ts";
import type { TurnWatch } from "./turn-watch.ts";

/** Wakes a loop when there is something to do; `wait` answers with what rang, or nothing after `blockMs`. */
export type Doorbell<What> = { wait(blockMs: number): Promise<What[]>; close(): void };

export type Worker = {
  /** Resolves when all loops have ended and nothing is in hand. */
  stop(timeoutMs: number): Promise<void>;
};

/** How often somebody looks whether what is accepted and not finished is still in the queue. */
const reconcileMs = 1000;

const tidyMs = 600_000;

/** How often a worker says that it is there. */
const beatMs = 2000;

/** A bell that was missed costs at most this much. */
const sweepMs = 1000;

/**
 * Starts the loops of a worker: the consumer, the heartbeat that renews its leases, the promoter of due
 * retries, the reclaimer of dead workers' work, the reconciler, which finds what was lost from the queue, the janitor, and the
 * fan-out of events to webhooks, and the tender of their breakers.
 * Any number of workers may run; none of the loops needs to be the only one.
 */
export function startWorker(deps: {
  queue: WorkQueue;
  outbox: Outbox;
  breakers: Breakers;
  handlers: Record<"job" | "delivery", TaskHandler>;
  partitions: readonly number[];
  workBell: Doorbell<number>;
  outboxBell: Doorbell<unknown>;
  concurrency: number;
  /** What is taken from the queue; all where it is not said. Whoever takes webhooks also fans events out to them. */
  classes?: readonly WorkClass[];
  leaseMs: number;
  nowMs(): number;
  log: Log;
  observer?: WorkObserver;
  /** Told of every look into the queue that succeeded: there is one every second or two. */
  watch?: Pick<TurnWatch, "turned" | "ending">;
  /** Where it says that it is there and what its work takes, for those who look; nothing depends on that. */
  roll?: WorkerRoll;
  /** Tells phones that came too late for a change's pushes; who takes work for the wallets does so. */
  latecomers?: RunOnce;
  /** Tells the wallets of published template versions; the same workers do so. */
  published?: RunOnce;
}): Worker {
  const { queue, outbox, log, watch, classes = workClasses } = deps;
  const times = createWorkTimes(deps);
  const observer = observeAll([deps.observer ?? unobserved, times]);
  const consumer = createConsumer({ ...deps, observer });
  const rounds = createRounds(async (news) => {
    await consumer.runOnce(news);
    if (classes.length > 0) watch?.turned();
  });
  const claiming = new AbortController();
  const tending = new AbortController();

  const rung = new Set<number>(deps.partitions);
  let sweptAtMs = deps.nowMs();
  let ringing: Promise<void> | null = null;
  const bell = (): Promise<void> => {
    ringing ??= deps.workBell
      .wait(sweepMs)
      .then((partitions) => {
        // Who takes nothing has nothing else to turn by.
        if (classes.length === 0) watch?.turned();
        for (const partition of partitions) rung.add(partition);
      })
      .finally(() => {
        ringing = null;
      });
    return ringing;
  };
  const consume = async (): Promise<number> => {
    if (deps.nowMs() - sweptAtMs >= sweepMs) {
      for (const partition of deps.partitions) rung.add(partition);
      sweptAtMs = deps.nowMs();
    }
    const news = [...rung];
    rung.clear();
    await rounds.next(news, async () => {
      if (rung.size === 0) await Promise.race([bell(), consumer.mayGoOn()]);
    });
    return 0;
  };

  const heartbeat = async (): Promise<number> => {
    for (const task of await queue.renew(consumer.inHand())) consumer.abandon(task);
    return deps.leaseMs / 3;
  };

  const promote = async (): Promise<number> => {
    const { nextDueAtMs } = await queue.promoteDue(deps.nowMs());
    if (nextDueAtMs === null) return 500;
    return Math.min(Math.max(nextDueAtMs - deps.nowMs(), 10), 500);
  };

  const reclaim = async (): Promise<number> => {
    const reclaimed = await queue.reclaimLost();
    if (reclaimed > 0) {
      observer.reclaimed(reclaimed);
      log.warn({ reclaimed }, "leases.reclaimed");
    }
    return Math.min(1000, deps.leaseMs / 4);
  };

  const reconcile = async (): Promise<number> => {
    const restored = await queue.reconcile(reconcileMs);
    if (restored > 0) {
      observer.restored(restored);
      log.error({ restored }, "work.restored");
    }
    return restored > 0 ? 0 : reconcileMs;
  };

  const tidy = async (): Promise<number> => {
    await queue.forgetConsumers();
    return tidyMs;
  };

  const rollCall = async (): Promise<number> => {
    await deps.roll?.beat(times.recent());
    return beatMs;
  };

  const fanOut = async (): Promise<number> => {
    const batch = 50;
    while ((await outbox.fanOut(batch)) >= batch) if (tending.signal.aborted) return 0;
    await deps.outboxBell.wait(sweepMs);
    return 0;
  };

  const consuming = runLoop("consumer", consume, { log, signal: claiming.signal });
  const others = [
    runLoop("heartbeat", heartbeat, { log, signal: tending.signal }),
    runLoop("promoter", promote, { log, signal: tending.signal }),
    runLoop("reclaimer", reclaim, { log, signal: tending.signal }),
    runLoop("reconciler", reconcile, { log, signal: tending.signal }),
    runLoop("janitor", tidy, { log, signal: tending.signal }),
    runLoop("breaker-tender", tendBreakers(deps), { log, signal: tending.signal }),
  ];
  if (deps.roll !== undefined) others.push(runLoop("roll-call", rollCall, { log, signal: tending.signal }));
  if (classes.includes("interactive") && deps.latecomers !== undefined)
    others.push(runLoop("latecomers", deps.latecomers, { log, signal: tending.signal }));
  if (classes.includes("interactive") && deps.published !== undefined)
    others.push(runLoop("published", deps.published, { log, signal: tending.signal }));
  if (classes.includes("webhooks")) others.push(runLoop("fan-out", fanOut, { log, signal: tending.signal }));

  return {
    async stop(timeoutMs) {
      claiming.abort();
      watch?.ending();
      deps.workBell.close();
      // Leases are renewed until the last task has ended.
      await consumer.drain(timeoutMs);
      tending.abort();
      deps.outboxBell.close();
      await Promise.all([consuming, rounds.ended(), ...others]);
      // Without Redis its name goes by itself, an hour later.
      await deps.roll?.leave().catch(() => {});
    },
  };
}
