import { Gauge, Registry } from "prom-client";
import type { QueueDepth, ReadQueueDepth } from "../domain/jobs/queue-depth.ts";

/** Whoever scrapes gives up after some ten seconds, and the other metrics must not be late for these. */
const patienceMs = 2000;

/** The depth of the queue, read when it is asked for. While it cannot be read its gauges are absent. */
export function createQueueMetrics(
  read: ReadQueueDepth,
  limits: { waiting: number; deadLetters: number },
  options: { patienceMs: number } = { patienceMs },
) {
  const registry = new Registry();
  const gauge = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `passwright_${name}`, help, labelNames, registers: [registry] });
  const ready = gauge("queue_ready", "Work that nobody has taken yet", "class");
  const active = gauge("queue_active", "Work in the hands of all workers", "class");
  const oldest = gauge(
    "queue_oldest_ready_seconds",
    "How long the first of the ready work has waited",
    "class",
  );
  const delayed = gauge("queue_delayed", "Work that is put off until its next attempt", "class");
  const dead = gauge(
    "queue_dead_letters",
    "Work that was given up, kept until somebody deals with it",
    "class",
  );
  const fullness = gauge(
    "queue_fullness_ratio",
    "Of the partition that is nearest to it: share of the bound above which new work is refused",
    "bound",
  );
  const events = gauge("outbox_events", "Events before the fan-out to webhooks");
  const oldestEvent = gauge("outbox_oldest_seconds", "How long the first of these events has waited");

  const ofReading = new Registry();
  const readable = new Gauge({
    name: "passwright_queue_readable",
    help: "1, or 0 when the queue could not be read for this scrape: then its gauges are absent",
    registers: [ofReading],
  });

  function show(depth: QueueDepth): void {
    for (const [name, facts] of Object.entries(depth.classes)) {
      ready.set({ class: name }, facts.ready);
      active.set({ class: name }, facts.active);
      delayed.set({ class: name }, facts.delayed);
      dead.set({ class: name }, facts.deadLetters);
      oldest.set({ class: name }, facts.oldestReadyMs / 1000);
    }
    fullness.set({ bound: "waiting" }, depth.fullest.waiting / limits.waiting);
    fullness.set({ bound: "dead_letters" }, depth.fullest.deadLetters / limits.deadLetters);
    events.set(depth.outbox.events);
    oldestEvent.set(depth.outbox.oldestMs / 1000);
  }

  // One reading for all who ask meanwhile: scrapes that pile up must not add to what a slow Redis has to do.
  let reading: Promise<boolean> | null = null;
  const refresh = (): Promise<boolean> => {
    reading ??= read()
      .then(
        (depth) => {
          show(depth);
          return true;
        },
        () => false,
      )
      .finally(() => {
        reading = null;
      });
    return reading;
  };

  return {
    async text(): Promise<string> {
      const late = Promise.withResolvers<boolean>();
      const timer = setTimeout(late.resolve, options.patienceMs, false);
      const isShown = await Promise.race([refresh(), late.promise]);
      clearTimeout(timer);
      readable.set(isShown ? 1 : 0);
      return (await ofReading.metrics()) + (isShown ? await registry.metrics() : "");
    },
  };
}
