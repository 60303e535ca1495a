import t from "tap";
import { keyOf } from "../../support/issuer.ts";
import { keySpace } from "../../support/key-space.ts";
import { keysOf, openStore } from "../../support/store.ts";
import { openSubscriber } from "../../support/webhooks.ts";

t.test("a deleted webhook leaves nothing but the deliveries that wait", async (t) => {
  const store = await openStore(t);
  const at = openSubscriber(store);
  const webhook = await at.subscribe();
  await at.fire();
  t.strictSame(await at.webhooks.remove(webhook, null), { outcome: "deleted" });
  t.equal(await at.webhooks.find(at.tenantId, webhook.id), null);
  t.equal(await at.webhooks.target(at.tenantId, webhook.id), null);
  t.strictSame(await at.webhooks.list(at.tenantId, { page: 1, pageSize: 10 }), { items: [], total: 0 });
  const left = (await keysOf(store)).filter((key) => /webhook/.test(key) && !/:queue:/.test(key));
  t.strictSame(left, []);
  t.equal((await at.take()).length, 1, "what waits is found when it is due");
});

t.test("a deletion leaves other webhooks alone, and makes room for one more", async (t) => {
  const store = await openStore(t);
  const at = openSubscriber(store);
  const [first, second] = [await at.subscribe(), await at.subscribe()];
  await at.fire();
  await at.webhooks.remove(first, null);
  t.strictSame(await at.webhooks.find(at.tenantId, second.id), second);
  t.equal((await at.history(second)).length, 1);
  const members = await store.connection.smembers(store.keys.webhooksByType(at.tenantId, "pass.created"));
  t.strictSame(members, [second.id]);
  for (let i = 0; i < 49; i++) await at.subscribe();
  t.equal((await at.webhooks.list(at.tenantId, { page: 1, pageSize: 1 })).total, 50);
});

t.test("a webhook is deleted once, however many try", async (t) => {
  const store = await openStore(t);
  const at = openSubscriber(store);
  const webhook = await at.subscribe();
  const answers = await Promise.all(Array.from({ length: 10 }, () => at.webhooks.remove(webhook, null)));
  t.equal(answers.filter(({ outcome }) => outcome === "deleted").length, 1);
  t.equal(answers.filter(({ outcome }) => outcome === "not_found").length, 9);
});

t.test("an Idempotency-Key repeats the deletion's answer, and deletes nothing that came since", async (t) => {
  const store = await openStore(t);
  const at = openSubscriber(store);
  const webhook = await at.subscribe();
  const key = keyOf("k", {});
  t.strictSame(await at.webhooks.remove(webhook, key), { outcome: "deleted" });
  const before = await keySpace(store);
  t.strictSame(await at.webhooks.remove(webhook, key), { outcome: "replayed", response: "" });
  t.strictSame(await at.webhooks.remove(webhook, keyOf("k", { other: 1 })), { outcome: "key_reused" });
  t.strictSame(await keySpace(store), before);
});

t.test("a change and a deletion at the same moment leave no subscription behind", async (t) => {
  const store = await openStore(t);
  const other = await store.another();
  for (let round = 0; round < 20; round++) {
    const at = openSubscriber(store);
    const elsewhere = openSubscriber({ ...store, ...other });
    const before = await at.subscribe();
    const after = { ...before, events: ["pass.revoked" as const] };
    const update = { before, after, secret: null, closesBreaker: true, idempotency: null, response: "{}" };
    await Promise.all([at.webhooks.remove(before, null), elsewhere.webhooks.update(update)]);
    const left = await keysOf(store);
    t.strictSame(
      left.filter((key) => key.includes(at.tenantId)),
      [],
    );
  }
});
