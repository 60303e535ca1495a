import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type Task, workClasses } from "../domain/jobs/work.ts";
import {
  endsWork,
  isFirstAttempt,
  sinceAcceptedMs,
  type WorkObserver,
} from "../domain/jobs/work-observer.ts";

/** From what nobody notices to an hour, which the last retry may well take. */
const waitBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600];

export type WorkMetrics = WorkObserver & { text(): Promise<string> };

/** What one worker does, as Prometheus wants to know it. `sinceTurnMs`: how long ago the consumer's loop turned. */
export function createWorkMetrics(deps: { nowMs(): number; sinceTurnMs(): number }): WorkMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: "passwright_" });
  const attempts = new Counter({
    name: "passwright_work_attempts_total",
    help: "Attempts that ended",
    labelNames: ["kind", "outcome"],
    registers,
  });
  const lost = new Counter({
    name: "passwright_work_leases_lost_total",
    help: "Attempts whose lease was lost before they ended: somebody else did the same work",
    labelNames: ["kind"],
    registers,
  });
  const reclaimed = new Counter({
    name: "passwright_work_leases_reclaimed_total",
    help: "Leases of silent workers that this one put back",
    registers,
  });
  const restored = new Counter({
    name: "passwright_work_restored_total",
    help: "Pieces of work that had been lost from the queue and were put back",
    registers,
  });
  const started = new Histogram({
    name: "passwright_work_start_seconds",
    help: "From acceptance to the begin of the first attempt",
    labelNames: ["class"],
    buckets: waitBuckets,
    registers,
  });
  const done = new Histogram({
    name: "passwright_work_done_seconds",
    help: "From acceptance to the end, well or not, over all attempts",
    labelNames: ["class"],
    buckets: waitBuckets,
    registers,
  });
  const inHand = new Gauge({
    name: "passwright_work_in_hand",
    help: "Attempts under way in this worker",
    labelNames: ["class"],
    registers,
  });
  new Gauge({
    name: "passwright_worker_turn_age_seconds",
    help: "How long ago the consumer's loop turned",
    registers,
    collect() {
      this.set(deps.sinceTurnMs() / 1000);
    },
  });
  // A rate needs the zero before the first event.
  for (const name of workClasses) inHand.set({ class: name }, 0);
  // Looked up once: what the client does to find a place by its labels takes longer than to count there.
  const inHandOf = byName(workClasses, (name) => inHand.labels({ class: name }));
  const startedOf = byName(workClasses, (name) => started.labels({ class: name }));
  const doneOf = byName(workClasses, (name) => done.labels({ class: name }));
  const attemptsOf = new Map<string, Counter.Internal>();
  const countAttempt = (kind: string, outcome: string): void => {
    const name = `${kind} ${outcome}`;
    const counted = attemptsOf.get(name) ?? attempts.labels({ kind, outcome });
    attemptsOf.set(name, counted);
    counted.inc();
  };
  for (const kind of ["job", "delivery"]) lost.inc({ kind }, 0);

  const observeSince = (histogram: Histogram.Internal<"class">, task: Task): void => {
    const ms = sinceAcceptedMs(task, deps.nowMs());
    if (ms !== null) histogram.observe(ms / 1000);
  };

  return {
    begun(task) {
      inHandOf[task.workClass].inc();
      if (isFirstAttempt(task)) observeSince(startedOf[task.workClass], task);
    },
    ended(task, outcome) {
      inHandOf[task.workClass].dec();
      countAttempt(task.kind, outcome);
      if (outcome === "lost") lost.inc({ kind: task.kind });
      if (endsWork(outcome)) observeSince(doneOf[task.workClass], task);
    },
    reclaimed: (count) => reclaimed.inc(count),
    restored: (count) => restored.inc(count),
    text: () => registry.metrics(),
  };
}

function byName<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>;
}
