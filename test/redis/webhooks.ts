import t, { type Test } from "tap";
import type { Webhook } from "../../src/domain/webhooks/webhook.ts";
import { createWebhookStore } from "../../src/redis/webhooks.ts";
import { keyOf } from "../support/issuer.ts";
import { keySpace } from "../support/key-space.ts";
import { openStore } from "../support/store.ts";

async function opened(t: Test) {
  const store = await openStore(t);
  const webhooks = createWebhookStore(store);
  const tenantId = store.ids.uuid();
  const webhook = (given: Partial<Webhook> = {}): Webhook => ({
    id: store.ids.uuid(),
    tenantId,
    url: "https://hooks.example.com/passes?shop=Zoë",
    events: ["pass.created", "pass.revoked"],
    isActive: true,
    secretPrefix: "corr",
    createdAtMs: store.clock.nowMs(),
    ...given,
  });
  const create = (one: Webhook, idempotency: ReturnType<typeof keyOf> | null = null) =>
    webhooks.create({
      webhook: one,
      secret: "correct horse battery",
      idempotency,
      response: `{"id":"${one.id}"}`,
    });
  return { store, webhooks, tenantId, webhook, create };
}

t.test("a webhook is read as it was written, its secret apart from it", async (t) => {
  const { store, webhooks, webhook, create } = await opened(t);
  const written = webhook();
  t.strictSame(await create(written), { outcome: "created" });
  t.strictSame(await webhooks.find(written.tenantId, written.id), written);
  t.strictSame(await webhooks.target(written.tenantId, written.id), {
    url: written.url,
    isActive: true,
    secret: "correct horse battery",
    breaker: { isOpen: false, hasFailures: false, reset: "0" },
  });
  const stranger = store.ids.uuid();
  t.equal(await webhooks.find(stranger, written.id), null);
  t.equal(await webhooks.target(stranger, written.id), null);
});

t.test("a webhook is subscribed to its events and no others", async (t) => {
  const { store, tenantId, webhook, create } = await opened(t);
  const written = webhook();
  await create(written);
  for (const [type, members] of [
    ["pass.created", [written.id]],
    ["pass.revoked", [written.id]],
    ["pass.updated", []],
  ] as const) {
    t.strictSame(await store.connection.smembers(store.keys.webhooksByType(tenantId, type)), members, type);
  }
});

t.test("the fifty-first webhook of a tenant is one too many, also when many come at once", async (t) => {
  const { store, webhook, create } = await opened(t);
  const answers = await Promise.all(Array.from({ length: 60 }, () => create(webhook())));
  t.equal(answers.filter(({ outcome }) => outcome === "created").length, 50);
  t.equal(answers.filter(({ outcome }) => outcome === "too_many").length, 10);
  const before = await keySpace(store);
  t.strictSame(await create(webhook(), keyOf("k9", {})), { outcome: "too_many" });
  t.strictSame(await keySpace(store), before);
  t.strictSame(await create(webhook({ tenantId: store.ids.uuid() })), { outcome: "created" });
});

t.test("an Idempotency-Key repeats the answer, and refuses another body", async (t) => {
  const { store, webhook, create } = await opened(t);
  const first = webhook();
  await create(first, keyOf("k1", { a: 1 }));
  const before = await keySpace(store);
  t.strictSame(await create(webhook(), keyOf("k1", { a: 1 })), {
    outcome: "replayed",
    response: `{"id":"${first.id}"}`,
  });
  t.strictSame(await create(webhook(), keyOf("k1", { a: 2 })), { outcome: "key_reused" });
  t.strictSame(await keySpace(store), before);
});
