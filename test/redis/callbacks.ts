import t, { type Test } from "tap";
import type { WalletChange } from "../../src/domain/callbacks/callback.ts";
import { createCallbackStore } from "../../src/redis/callbacks.ts";
import { createEventStore } from "../../src/redis/events.ts";
import { openIssuer, passOf } from "../support/issuer.ts";
import { openStore } from "../support/store.ts";

const hourMs = 3_600_000;

async function opened(t: Test) {
  const store = await openStore(t);
  const issuer = await openIssuer(store);
  const { tenantId, templateId } = issuer;
  const passId = passOf(await issuer.create()).id;
  const callbacks = createCallbackStore(store);
  const { clock, ids } = store;
  return {
    store,
    clock,
    tenantId,
    passId,
    say(nonce: string, change: WalletChange, given: { passId?: string; expiresAtMs?: number } = {}) {
      const said = {
        tenantId,
        passId,
        templateId,
        change,
        nonce,
        expiresAtMs: clock.nowMs() + hourMs,
        ...given,
      };
      return callbacks.record({ ...said, eventId: ids.uuid() }, clock.nowMs());
    },
    standing: () => callbacks.standing({ tenantId, passId }),
    async events() {
      const page = await createEventStore(store).list(tenantId, { passId }, { page: 1, pageSize: 100 });
      return page.items.map(({ type, templateId: of }) => [type, of === templateId]).reverse();
    },
  };
}

t.test("each call-back is one event, however often and from how many sides it comes", async (t) => {
  const { say, events } = await opened(t);
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => say("n1", "saved")));
  t.strictSame(outcomes.sort(), ["recorded", ...Array(19).fill("repeated")].sort());
  t.equal(await say("n2", "removed"), "recorded");
  t.equal(await say("n2", "removed"), "repeated");
  t.strictSame(await events(), [
    ["pass.created", true],
    ["pass.installed", true],
    ["pass.uninstalled", true],
  ]);
});

t.test("it is known whether a pass is saved, and since when", async (t) => {
  const { say, standing, clock } = await opened(t);
  t.equal(await standing(), null);
  const savedAtMs = clock.nowMs();
  await say("n1", "saved");
  t.strictSame(await standing(), { savedAtMs, removedAtMs: null });
  clock.forward(1000);
  await say("n2", "removed");
  t.strictSame(await standing(), { savedAtMs, removedAtMs: savedAtMs + 1000 });
  clock.forward(1000);
  await say("n3", "saved");
  t.strictSame(await standing(), { savedAtMs: savedAtMs + 2000, removedAtMs: null });
});

t.test("what was said before and comes late is an event, and not the last word", async (t) => {
  const { say, standing, clock, events } = await opened(t);
  const nowMs = clock.nowMs();
  await say("n2", "removed", { expiresAtMs: nowMs + 2000 });
  t.equal(await say("n1", "saved", { expiresAtMs: nowMs + 1000 }), "recorded");
  t.strictSame(await standing(), { savedAtMs: null, removedAtMs: nowMs });
  t.equal((await events()).length, 3);
});

t.test("of a pass that is gone nothing is written", async (t) => {
  const { say, store, tenantId } = await opened(t);
  t.equal(await say("n1", "saved", { passId: store.ids.uuid() }), "gone");
  t.strictSame(await store.connection.keys(`${store.keys.ofTenant(tenantId)}:callback:*`), []);
  t.equal(await say("n1", "saved"), "recorded", "and the nonce is free");
});

t.test("a nonce is kept for an hour longer than it can be used, and no longer", async (t) => {
  const { say, store, tenantId, clock } = await opened(t);
  await say("n1", "saved", { expiresAtMs: clock.nowMs() + 5 * hourMs });
  const ttl = await store.connection.pttl(store.keys.callbackNonce(tenantId, "n1"));
  t.ok(ttl > 5.9 * hourMs && ttl <= 6 * hourMs, String(ttl));
});
