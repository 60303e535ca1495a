import type { ReadQueueDepth } from "../../domain/jobs/queue-depth.ts";
import type { QueueFlow, QueueLook } from "../../domain/jobs/queue-look.ts";
import { workClasses } from "../../domain/jobs/work.ts";
import { quantileMs, type WorkTimes } from "../../domain/jobs/work-times.ts";
import type { ReadStoreHealth } from "../../domain/store-health.ts";
import type { Breakers } from "../../domain/webhooks/breaker.ts";
import type { Fact, Page, Row } from "../page.ts";
import { bytes, count, duration, latency } from "../shown.ts";

/** What waited for so long should have been taken. */
const lateMs = 60_000;

/**
 * How Redis is, what waits in each class, and how long work took. Rates are of the time between two readings, latencies of the
 * last minute of all workers.
 */
export function createOverview(deps: {
  readQueueDepth: ReadQueueDepth;
  readStoreHealth: ReadStoreHealth;
  queueLook: Pick<QueueLook, "flow" | "workers" | "times">;
  breakers: Pick<Breakers, "depth">;
  nowMs(): number;
}): () => Promise<Page> {
  let before: { atMs: number; flow: QueueFlow } | null = null;

  return async () => {
    // Alone, so that its round trip is not that of all the others.
    const health = await deps.readStoreHealth();
    const [depth, flow, workers, breakers] = await Promise.all([
      deps.readQueueDepth(),
      deps.queueLook.flow(),
      deps.queueLook.workers(),
      deps.breakers.depth(),
    ]);
    const atMs = deps.nowMs();
    const rates = ratesBetween(before, { atMs, flow });
    before = { atMs, flow };
    const rows = workClasses.map((workClass): Row => {
      const { ready, active, delayed, deadLetters, oldestReadyMs } = depth.classes[workClass];
      return {
        id: workClass,
        cells: [
          workClass,
          ...[ready, active, delayed].map(count),
          oldestReadyMs > 0 ? duration(oldestReadyMs) : "-",
          rates(({ taken }) => taken[workClass]),
          count(deadLetters),
        ],
        ...(oldestReadyMs > lateMs && { tone: "warning" as const }),
      };
    });
    const { events, oldestMs } = depth.outbox;
    rows.push({
      id: "outbox",
      cells: [
        "events to fan out",
        count(events),
        "-",
        "-",
        oldestMs > 0 ? duration(oldestMs) : "-",
        rates((each) => each.events),
        "-",
      ],
      ...(oldestMs > lateMs && { tone: "warning" as const }),
    });
    const alive = workers.filter(({ lastBeatMs }) => atMs - lastBeatMs < 10_000).length;
    const times = await deps.queueLook.times(workers.map(({ name }) => name));
    return {
      facts: [
        ...redisFacts(health),
        {
          name: "Workers",
          text: `${alive} alive${workers.length > alive ? `, ${workers.length - alive} silent` : ""}`,
          tone: alive === 0 ? "bad" : "good",
        },
        {
          name: "Breakers",
          text: `${breakers.open} open, ${count(breakers.parked)} deliveries parked`,
          tone: breakers.open > 0 ? "warning" : "good",
        },
        {
          name: "Fullest partition",
          text: `${count(depth.fullest.waiting)} wait, ${count(depth.fullest.deadLetters)} dead`,
        },
        { name: "Given up", text: `${rates((each) => each.deadLetters)} a second` },
        ...latencyFacts(times),
      ],
      columns: [
        { title: "class" },
        { title: "ready", align: "right" },
        { title: "in hand", align: "right" },
        { title: "put off", align: "right" },
        { title: "oldest", align: "right" },
        { title: "per second", align: "right" },
        { title: "dead", align: "right" },
      ],
      rows,
      empty: "",
    };
  };
}

/** From acceptance to the begin and to the end, as half of the work and nearly all of it was. */
function latencyFacts(times: WorkTimes): Fact[] {
  return (["started", "done"] as const).map((what) => {
    const ofClass = workClasses.map((name) => {
      const [half, most] = [0.5, 0.99].map((share) => quantileMs(times[name][what], share));
      const text = half == null || most == null ? "-" : `${latency(half)} ${latency(most)}`;
      return `${name} ${text}`;
    });
    return {
      name: what === "started" ? "Starts, p50 p99" : "Done, p50 p99",
      text: `${ofClass.join(" · ")}`,
    };
  });
}

function redisFacts(health: Awaited<ReturnType<ReadStoreHealth>>): Fact[] {
  const { usedBytes, limitBytes, appendOnly, roundTripMs } = health;
  const isFull = limitBytes > 0 && usedBytes > 0.9 * limitBytes;
  return [
    {
      name: "Redis",
      text: `${health.version}, ${health.role}, up ${duration(health.uptimeSeconds * 1000)}, answers in ${roundTripMs.toFixed(1)} ms`,
      tone: roundTripMs > 100 ? "warning" : "good",
    },
    {
      name: "Memory",
      text: `${bytes(usedBytes)}${limitBytes > 0 ? ` of ${bytes(limitBytes)}` : ", no limit"}`,
      tone: isFull ? "bad" : "good",
    },
    {
      name: "Commands",
      text: `${count(health.commandsPerSecond)} a second, ${health.clients} clients, ${health.replicas} replicas`,
    },
    { name: "Append-only file", text: appendOnly, tone: appendOnly === "on" ? "good" : "bad" },
  ];
}

/** A counter that begins anew, since its stream was made anew, says nothing this time. */
function ratesBetween(
  before: { atMs: number; flow: QueueFlow } | null,
  now: { atMs: number; flow: QueueFlow },
): (of: (flow: QueueFlow) => number) => string {
  return (of) => {
    if (before === null || now.atMs <= before.atMs) return "-";
    const more = of(now.flow) - of(before.flow);
    return more < 0 ? "-" : ((more * 1000) / (now.atMs - before.atMs)).toFixed(1);
  };
}
