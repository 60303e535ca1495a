import { eventBody } from "../domain/events/body.ts";
import type { WebhookEventType } from "../domain/events/event.ts";
import type { ComposeResource } from "../domain/webhooks/compose.ts";
import type { Outbox } from "../domain/webhooks/webhook.ts";
import { historyRetentionSeconds } from "./retention.ts";
import type { StoreParts } from "./store.ts";

/** An outbox entry whose body has to be made first. */
type Bodiless = [
  tenantId: string,
  id: string,
  type: WebhookEventType,
  atMs: string,
  kind: string,
  resource: string,
];

/**
 * Fans the events of all partitions out. Bodies that the events did not bring along are made from `compose`; until that
 * has succeeded an event stays in the outbox, and of several workers that make one only the first has it sent.
 */
export function createOutbox(
  { keys, run }: StoreParts,
  deps: { nowMs(): number; compose: ComposeResource },
): Outbox {
  async function fanOutOf(partition: number, count: number): Promise<number> {
    const step = async (from: string, bodies: readonly string[]) =>
      (await run(
        "fan-out-events",
        [keys.outbox(partition), keys.queue(partition, "webhooks")],
        [count, deps.nowMs(), keys.partition(partition), historyRetentionSeconds, from, ...bodies],
      )) as [events: number, bodiless: Bodiless[], next: string];

    let total = 0;
    const failures: unknown[] = [];
    for (let from = "-"; ; ) {
      const [events, bodiless, next] = await step(from, []);
      const made = await Promise.allSettled(bodiless.map(bodyOf));
      const bodies = made.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
      const [others] = bodies.length === 0 ? [0] : await step(from, bodies);
      total += events + others;
      for (const one of made) if (one.status === "rejected") failures.push(one.reason);
      // Those that cannot be made stay at the head and must not hold up what is behind them.
      if (failures.length === 0 || next === "") break;
      from = next;
    }
    // Reported once the others are on their way.
    if (failures.length > 0) throw failures[0];
    return total;
  }

  async function bodyOf([tenantId, id, type, atMs, kind, resource]: Bodiless): Promise<[string, string]> {
    const text = await deps.compose(tenantId, kind, resource);
    if (text === null) return [id, ""];
    return [id, eventBody({ id, type, tenantId, atMs: Number(atMs), resource: text })];
  }

  return {
    async fanOut(count) {
      const fanned = await Promise.allSettled(
        keys.allPartitions.map((partition) => fanOutOf(partition, count)),
      );
      for (const one of fanned) if (one.status === "rejected") throw one.reason;
      return fanned.reduce((sum, one) => sum + (one.status === "fulfilled" ? one.value : 0), 0);
    },
  };
}
