import t, { type Test } from "tap";
import { webhookEventTypes } from "../../../src/domain/events/event.ts";
import { keyOf } from "../../support/issuer.ts";
import { keySpace } from "../../support/key-space.ts";
import { openStore } from "../../support/store.ts";
import { openSubscriber, plainSecret } from "../../support/webhooks.ts";

async function opened(t: Test) {
  const store = await openStore(t);
  const subscriber = openSubscriber(store);
  const { tenantId } = subscriber;
  return {
    ...subscriber,
    store,
    /** The types by which a webhook is found when something happens. */
    async hears(id: string) {
      const heard = await Promise.all(
        webhookEventTypes.map((type) =>
          store.connection.sismember(store.keys.webhooksByType(tenantId, type), id),
        ),
      );
      return webhookEventTypes.filter((_, index) => heard[index] === 1);
    },
  };
}

const base = { secret: null, closesBreaker: true, idempotency: null, response: "{}" };

t.test("a change writes what differs, and leaves the rest", async (t) => {
  const at = await opened(t);
  const before = await at.subscribe();
  const url = "https://other.example.com/";
  await at.change(before, { url });
  t.strictSame(await at.webhooks.find(at.tenantId, before.id), { ...before, url });
  t.equal((await at.webhooks.target(at.tenantId, before.id))?.secret, plainSecret);
  t.strictSame(await at.hears(before.id), ["pass.created", "job.completed"]);
});

t.test("a change of events moves the webhook between the types at once", async (t) => {
  const at = await opened(t);
  const before = await at.subscribe();
  const other = await at.subscribe();
  await at.change(before, { events: ["batch.completed", "pass.created"] });
  t.strictSame(await at.hears(before.id), ["pass.created", "batch.completed"]);
  t.strictSame(await at.hears(other.id), ["pass.created", "job.completed"], "others stay as they are");
});

t.test("an inactive webhook hears nothing, and what it is subscribed to is not forgotten", async (t) => {
  const at = await opened(t);
  const before = await at.subscribe();
  const inactive = await at.change(before, { isActive: false });
  t.strictSame(await at.hears(before.id), []);
  t.strictSame((await at.webhooks.find(at.tenantId, before.id))?.events, before.events);
  const wider = await at.change(inactive, { events: [...webhookEventTypes] });
  t.strictSame(await at.hears(before.id), [], "a change of events does not wake it");
  await at.change(wider, { isActive: true });
  t.strictSame(await at.hears(before.id), [...webhookEventTypes]);
});

t.test("a new secret is sealed, and the old one is gone", async (t) => {
  const at = await opened(t);
  const before = await at.subscribe();
  await at.change(before, { secretPrefix: "stap" }, "staple-staple");
  t.equal((await at.webhooks.target(at.tenantId, before.id))?.secret, "staple-staple");
  t.equal((await at.webhooks.find(at.tenantId, before.id))?.secretPrefix, "stap");
  const everything = JSON.stringify(await keySpace(at.store));
  t.notOk(everything.includes("staple-staple"));
});

t.test("a change made from what is no more is refused, and nothing is written", async (t) => {
  const at = await opened(t);
  const first = await at.subscribe();
  await at.change(first, { url: "https://new.example.com/" });
  const before = await keySpace(at.store);
  const after = { ...first, events: ["pass.revoked" as const] };
  const idempotency = keyOf("k", {});
  t.strictSame(await at.webhooks.update({ ...base, before: first, after, idempotency }), {
    outcome: "changed",
  });
  t.strictSame(await keySpace(at.store), before);
});

t.test("of changes made from the same reading one is written", async (t) => {
  const at = await opened(t);
  const before = await at.subscribe();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      at.webhooks.update({ ...base, before, after: { ...before, url: `https://${i}.example.com/` } }),
    ),
  );
  t.equal(answers.filter(({ outcome }) => outcome === "updated").length, 1);
  t.equal(answers.filter(({ outcome }) => outcome === "changed").length, 19);
});

t.test("what is not there, or another tenant's, cannot be changed", async (t) => {
  const at = await opened(t);
  const webhook = await at.subscribe();
  const stranger = { ...webhook, tenantId: at.store.ids.uuid() };
  const missing = { ...webhook, id: at.store.ids.uuid() };
  const before = await keySpace(at.store);
  for (const one of [stranger, missing]) {
    const update = { ...base, before: one, after: { ...one, isActive: false } };
    t.strictSame(await at.webhooks.update(update), { outcome: "not_found" });
    t.strictSame(await at.webhooks.remove(one, null), { outcome: "not_found" });
  }
  t.strictSame(await keySpace(at.store), before);
});

t.test(
  "an Idempotency-Key repeats the answer of a change, also when the webhook has changed since",
  async (t) => {
    const at = await opened(t);
    const before = await at.subscribe();
    const after = { ...before, isActive: false };
    const update = {
      before,
      after,
      secret: null,
      closesBreaker: true,
      idempotency: keyOf("k", { a: 1 }),
      response: '{"first":1}',
    };
    t.strictSame(await at.webhooks.update(update), { outcome: "updated" });
    await at.change(after, { isActive: true });
    t.strictSame(await at.webhooks.update({ ...update, response: '{"second":2}' }), {
      outcome: "replayed",
      response: '{"first":1}',
    });
    const other = keyOf("k", { a: 2 });
    t.strictSame(await at.webhooks.update({ ...update, idempotency: other }), { outcome: "key_reused" });
    t.equal((await at.webhooks.find(at.tenantId, before.id))?.isActive, true);
  },
);
