import t, { type Test } from "tap";
import { updateWebhook, type WebhookChanges } from "../../../src/domain/webhooks/update.ts";
import type { WebhookStore } from "../../../src/domain/webhooks/webhook.ts";
import { createIdempotencyStore } from "../../../src/redis/idempotency.ts";
import { keyOf } from "../../support/issuer.ts";
import { openStore } from "../../support/store.ts";
import { openSubscriber } from "../../support/webhooks.ts";

async function opened(t: Test, refusal: string | null = null) {
  const store = await openStore(t);
  const at = openSubscriber(store);
  const webhook = await at.subscribe();
  const deps = {
    webhooks: at.webhooks,
    webhookTargets: { refusal: async () => refusal },
    idempotency: createIdempotencyStore(store),
  };
  const update = (
    changes: WebhookChanges,
    given: { webhooks?: WebhookStore; webhookId?: string; idempotency?: ReturnType<typeof keyOf> } = {},
  ) =>
    updateWebhook(
      { ...deps, webhooks: given.webhooks ?? deps.webhooks },
      {
        tenantId: at.tenantId,
        webhookId: given.webhookId ?? webhook.id,
        changes,
        idempotency: given.idempotency ?? null,
      },
    );
  return { ...at, store, deps, webhook, update, look: () => at.webhooks.find(at.tenantId, webhook.id) };
}

t.test("an answer tells the webhook as it is after the change", async (t) => {
  const at = await opened(t);
  const { body, replayed } = await at.update({ url: "https://new.example.com/", secret: "🔑🔑🔑🔑🔑🔑🔑🔑" });
  t.equal(replayed, false);
  t.strictSame(JSON.parse(body), {
    id: at.webhook.id,
    url: "https://new.example.com/",
    events: at.webhook.events,
    is_active: true,
    secret_prefix: "🔑🔑🔑🔑",
    created_at: new Date(at.webhook.createdAtMs).toISOString(),
  });
});

t.test("a change without members changes nothing", async (t) => {
  const at = await opened(t);
  const { body } = await at.update({});
  t.match(JSON.parse(body), { url: at.webhook.url, events: at.webhook.events, secret_prefix: "corr" });
  t.strictSame(await at.look(), at.webhook);
});

t.test("changes of different members at the same moment are all kept", async (t) => {
  const at = await opened(t);
  const answers = await Promise.all([
    at.update({ url: "https://new.example.com/" }),
    at.update({ events: ["batch.completed"] }),
    at.update({ isActive: false }),
    at.update({ secret: "staple-staple" }),
  ]);
  const after = {
    url: "https://new.example.com/",
    events: ["batch.completed"],
    isActive: false,
    secretPrefix: "stap",
  };
  t.match(await at.look(), after);
  const last = answers
    .map(({ body }) => JSON.parse(body))
    .filter(({ is_active, url }) => !is_active && url === after.url);
  t.ok(last.length >= 1, "and the last of them tells all");
});

t.test("a webhook that is deleted between reading and writing is not found", async (t) => {
  const at = await opened(t);
  const webhooks: WebhookStore = {
    ...at.webhooks,
    async update(update) {
      await at.webhooks.remove(at.webhook, null);
      return at.webhooks.update(update);
    },
  };
  await t.rejects(at.update({ isActive: false }, { webhooks }), { code: "not_found" });
  await t.rejects(at.update({}, { webhookId: at.store.ids.uuid() }), { code: "not_found" });
});

t.test("a repeat is answered as at first, whatever has become of address and webhook since", async (t) => {
  const at = await opened(t);
  const idempotency = keyOf("k", { url: 1 });
  const changes = { url: "https://new.example.com/" };
  const first = await at.update(changes, { idempotency });
  await at.webhooks.remove(at.webhook, null);
  const refusing = { ...at.deps, webhookTargets: { refusal: async () => "leads to 10.0.0.1" } };
  const input = { tenantId: at.tenantId, webhookId: at.webhook.id, changes, idempotency };
  t.strictSame(await updateWebhook(refusing, input), { body: first.body, replayed: true });
  const other = { ...input, idempotency: keyOf("k", { url: 2 }) };
  await t.rejects(updateWebhook(refusing, other), { code: "idempotency_key_reused" });
});

t.test("of equal requests with one key at the same moment all get the answer of one", async (t) => {
  const at = await opened(t);
  const idempotency = keyOf("k", {});
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => at.update({ secret: "staple-staple" }, { idempotency })),
  );
  t.equal(answers.filter(({ replayed }) => !replayed).length, 1);
  t.equal(new Set(answers.map(({ body }) => body)).size, 1);
});

t.test("a new address is judged like that of a new webhook, and a refused one changes nothing", async (t) => {
  const at = await opened(t, "leads to 10.0.0.1, which is not a public address");
  const details = [{ path: "/url", message: "leads to 10.0.0.1, which is not a public address" }];
  const changes = { url: "https://new.example.com/", isActive: false };
  await t.rejects(at.update(changes), { code: "invalid_request", details });
  t.strictSame(await at.look(), at.webhook);
  t.match(await at.update({ isActive: false }), { replayed: false }, "the old one is not judged again");
});
