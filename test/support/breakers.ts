import type { Test } from "tap";
import type { Task } from "../../src/domain/jobs/work.ts";
import { type Answer, type DeliveryReport, deliverWebhook } from "../../src/domain/webhooks/deliver.ts";
import type { Webhook } from "../../src/domain/webhooks/webhook.ts";
import { createBreakers } from "../../src/redis/breakers.ts";
import { openStore } from "./store.ts";
import { openSubscriber } from "./webhooks.ts";

export const down: Answer = { statusCode: 500, retryAfterSeconds: null };
export const up: Answer = { statusCode: 204, retryAfterSeconds: null };

/** A webhook whose receiver answers as it is told, and breakers that are tended by hand. Time stands still. */
export async function openEndpoint(
  t: Test,
  options: { parkLimitMs?: number; schedule?: readonly number[] } = {},
) {
  const store = await openStore(t, { partitions: 1 });
  const parkLimitMs = options.parkLimitMs ?? 24 * 3_600_000;
  const at = openSubscriber(store, { parkLimitMs });
  const webhook = await at.subscribe();
  const breakers = createBreakers(store, { parkLimitMs });
  const calls: string[] = [];
  let answer: Answer = up;
  const deps = {
    ...at,
    clock: store.clock,
    // One attempt after the other without end, unless the test says so.
    webhookRetrySchedule: options.schedule ?? Array<number>(1000).fill(1000),
    webhookHoldLimitMs: 60_000,
    webhookSender: {
      async post(url: string) {
        calls.push(url);
        return answer;
      },
    },
  };
  const signal = new AbortController().signal;
  const deliver = (task: Task): Promise<DeliveryReport> => deliverWebhook(deps, task, signal);
  const health = () => breakers.health(at.tenantId, webhook.id);

  return {
    ...at,
    store,
    breakers,
    webhook,
    calls,
    deliver,
    health,
    answers(next: Answer) {
      answer = next;
    },
    tend: () => breakers.tend(store.clock.nowMs()),
    /** Fires so many events, each a delivery. */
    async fireMany(count: number) {
      for (let i = 0; i < count; i += 1) await at.fire();
    },
    /** Makes an attempt of everything that is due, one after the other. */
    async work(): Promise<DeliveryReport[]> {
      const reports: DeliveryReport[] = [];
      for (const task of await at.take()) reports.push(await deliver(task));
      return reports;
    },
    /** Lets attempts fail until the breaker is open: twenty, of which the last comes half a minute after the first. */
    async untilOpen(deliveries = 10) {
      answer = down;
      await this.fireMany(deliveries);
      for (let round = 0; ; round += 1) {
        await this.work();
        if ((await health()).breaker !== "closed") break;
        if (round > 100) throw new Error("the breaker does not open");
        store.clock.forward(30_000);
      }
      // What failed comes due again, before the first probe does.
      store.clock.forward(2000);
      await this.work();
      calls.length = 0;
    },
    async forwardToProbe() {
      const { nextProbeAtMs } = await health();
      store.clock.forward(Math.max(0, (nextProbeAtMs ?? 0) - store.clock.nowMs()));
    },
    look: (of: Webhook = webhook) => at.history(of),
    reasons: async () => {
      const letters = await store.connection.xrange(store.keys.deadLetters(0), "-", "+");
      return letters.map(([, fields]) => fields[fields.indexOf("reason") + 1]);
    },
  };
}
