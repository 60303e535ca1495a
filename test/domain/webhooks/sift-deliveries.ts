import t from "tap";
import { siftDeliveries } from "../../../src/domain/webhooks/sift-deliveries.ts";
import type { DeliveryStatus } from "../../../src/domain/webhooks/webhook.ts";
import { addEvent, openOutbox } from "../../support/outbox.ts";
import { openStore } from "../../support/store.ts";
import { openSubscriber } from "../../support/webhooks.ts";

t.test("deliveries of one status are found however many others came after them", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const at = openSubscriber(store);
  const webhook = await at.subscribe();
  await at.fire();
  const [oldest] = await at.take();
  if (oldest === undefined) throw new Error("nothing waits");
  const failure = { code: "http_500", description: "answered 500" };
  const attempt = { number: 1, atMs: 0, statusCode: 500, durationMs: 1, error: "answered 500" };
  await at.deliveries.settle(oldest, attempt, { dueAtMs: null, failure });
  store.clock.forward(1);
  for (let i = 0; i < 600; i++) await addEvent(store, { tenantId: at.tenantId, type: "pass.created" });
  await openOutbox(store).fanOut(1000);

  const sift = (status: DeliveryStatus | null, limit: number) =>
    siftDeliveries(
      { ...at, clock: store.clock },
      { tenantId: at.tenantId, webhookId: webhook.id, status, limit },
    );
  t.match(await sift("dead_lettered", 10), [{ id: oldest.id }]);
  t.equal((await sift("dead_lettered", 10)).length, 1);
  t.equal((await sift(null, 1000)).length, 601);
  t.equal((await sift("pending", 550)).length, 550);
  t.equal((await sift(null, 3)).length, 3);
  t.strictSame(await sift("delivered", 10), []);
});

t.test("there is no webhook of another tenant's, nor under what is no id", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const at = openSubscriber(store);
  const webhook = await at.subscribe();
  const deps = { ...at, clock: store.clock };
  for (const [tenantId, webhookId] of [
    [store.ids.uuid(), webhook.id],
    [at.tenantId, `${webhook.id}:deliveries`],
  ] as const) {
    await t.rejects(siftDeliveries(deps, { tenantId, webhookId, status: null, limit: 1 }), {
      code: "not_found",
    });
  }
});
