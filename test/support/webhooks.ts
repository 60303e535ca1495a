import type { Webhook } from "../../src/domain/webhooks/webhook.ts";
import { createDeliveryStore } from "../../src/redis/deliveries.ts";
import { createWebhookStore } from "../../src/redis/webhooks.ts";
import { addEvent, openOutbox } from "./outbox.ts";
import type { TestStore } from "./store.ts";
import { openQueue } from "./work.ts";

export const plainSecret = "correct horse battery";

/** A tenant with webhooks, and what happens to these by hand. */
export function openSubscriber(store: TestStore, options: { parkLimitMs?: number } = {}) {
  const tenantId = store.ids.uuid();
  const webhooks = createWebhookStore(store);
  const deliveries = createDeliveryStore(store, options);
  const partition = store.keys.partitionOf(tenantId);
  return {
    tenantId,
    partition,
    webhooks,
    deliveries,
    /** Registers a webhook; what is not given is valid. */
    async subscribe(given: Partial<Webhook> = {}): Promise<Webhook> {
      const webhook: Webhook = {
        id: store.ids.uuid(),
        tenantId,
        url: "https://hooks.example.com/passes",
        events: ["pass.created", "job.completed"],
        isActive: true,
        secretPrefix: "corr",
        createdAtMs: store.clock.nowMs(),
        ...given,
      };
      await webhooks.create({ webhook, secret: plainSecret, idempotency: null, response: "{}" });
      return webhook;
    },
    /** Changes a webhook as nobody else does at that moment. */
    async change(before: Webhook, changes: Partial<Webhook>, secret: string | null = null): Promise<Webhook> {
      const after = { ...before, ...changes };
      const closesBreaker = changes.url !== undefined || changes.isActive !== undefined;
      const result = await webhooks.update({
        ...{ before, after, secret, closesBreaker },
        ...{ idempotency: null, response: "{}" },
      });
      if (result.outcome !== "updated") throw new Error(`the change came to ${result.outcome}`);
      return after;
    },
    /** Fires an event that has a body, and makes its deliveries. */
    async fire(type: Webhook["events"][number] = "pass.created"): Promise<string> {
      const id = await addEvent(store, { tenantId, type });
      await openOutbox(store).fanOut(50);
      return id;
    },
    /** All deliveries of a webhook that its history shows, newest first. */
    async history(webhook: Webhook) {
      const of = { tenantId, webhookId: webhook.id, nowMs: store.clock.nowMs() };
      return (await deliveries.list(of, { page: 1, pageSize: 100 })).items;
    },
    /** Takes the tenant's deliveries that wait. */
    async take() {
      const queue = await openQueue(store);
      await queue.promoteDue(store.clock.nowMs());
      const tasks = await queue.claim([partition], 1000);
      return tasks.filter((task) => task.tenantId === tenantId && task.kind === "delivery");
    },
  };
}
