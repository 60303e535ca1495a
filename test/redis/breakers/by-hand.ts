import t from "tap";
import { resendDelivery } from "../../../src/domain/webhooks/resend.ts";
import { down, openEndpoint, up } from "../../support/breakers.ts";

t.test("a new address closes the breaker, and everything that was parked goes there", async (t) => {
  const at = await openEndpoint(t);
  await at.untilOpen(5);
  at.answers(up);
  await at.change(at.webhook, { url: "https://new.example.com/" });
  t.match(await at.health(), { breaker: "closed", failuresInARow: 0, parked: 5 });
  t.match(await at.tend(), { released: 5 });
  for (const report of await at.work()) t.match(report, { outcome: "delivered" });
  t.strictSame(at.calls, Array(5).fill("https://new.example.com/"));
});

t.test("so does naming the address, or is_active, with the value that it has", async (t) => {
  const at = await openEndpoint(t);
  await at.untilOpen(5);
  await at.change(at.webhook, { isActive: true });
  t.match(await at.health(), { breaker: "closed" });
});

t.test("another secret or other events leave it as it is", async (t) => {
  const at = await openEndpoint(t);
  await at.untilOpen(5);
  const after = await at.change(at.webhook, { secretPrefix: "stap" }, "staple-staple");
  await at.change(after, { events: ["pass.revoked"] });
  t.match(await at.health(), { breaker: "open", parked: 5 });
});

t.test("switched off, its parked deliveries end as those of an inactive webhook do", async (t) => {
  const at = await openEndpoint(t);
  await at.untilOpen(5);
  await at.change(at.webhook, { isActive: false });
  await at.tend();
  await at.work();
  t.strictSame(await at.reasons(), Array(5).fill("webhook_inactive"));
  t.strictSame(at.calls, []);
});

t.test("deleted, they end as those of a deleted webhook do, and nothing of it stays", async (t) => {
  const at = await openEndpoint(t);
  await at.untilOpen(5);
  await at.webhooks.remove(at.webhook, null);
  t.match(await at.tend(), { released: 5 });
  await at.work();
  t.strictSame(await at.reasons(), Array(5).fill("webhook_deleted"));
  const { connection, keys } = at.store;
  for (const key of [
    keys.webhook(at.tenantId, at.webhook.id),
    keys.parked(at.tenantId, at.webhook.id),
    keys.breakers(0),
  ])
    t.equal(await connection.exists(key), 0, key);
});

t.test("an attempt that ends after its webhook was deleted does not bring a piece of it back", async (t) => {
  const at = await openEndpoint(t);
  at.answers(down);
  await at.fire();
  const [task] = await at.take();
  if (task === undefined) throw new Error("there is no delivery");
  await at.webhooks.remove(at.webhook, null);
  const attempt = { number: 1, atMs: 0, statusCode: 500, durationMs: 1, error: "answered 500" };
  const failure = { code: "http_500", description: "answered 500" };
  t.ok(await at.deliveries.settle(task, attempt, { dueAtMs: 1e15, failure }, "0"));
  t.equal(await at.store.connection.exists(at.store.keys.webhook(at.tenantId, at.webhook.id)), 0);
});

t.test("a parked delivery that is sent again by hand goes at once, past the breaker", async (t) => {
  const at = await openEndpoint(t);
  await at.untilOpen(5);
  const [newest] = await at.look();
  if (newest === undefined) throw new Error("there is no delivery");
  const input = { tenantId: at.tenantId, deliveryId: newest.id };
  t.match(await resendDelivery({ ...at, clock: at.store.clock }, input), { status: "pending" });
  t.match(await at.health(), { parked: 4 });
  t.match(await at.work(), [{ outcome: "retrying" }], "it was asked, and answered");
  t.equal(at.calls.length, 1);
  t.match(await at.health(), { breaker: "open", parked: 4 });
  at.store.clock.forward(2000);
  t.match(await at.work(), [{ outcome: "parked" }], "its second attempt keeps to the breaker");
  at.answers(up);
  await resendDelivery({ ...at, clock: at.store.clock }, input);
  t.match(await at.work(), [{ outcome: "delivered" }]);
  t.match(await at.health(), { breaker: "closed" }, "and one that arrives closes it");
});
