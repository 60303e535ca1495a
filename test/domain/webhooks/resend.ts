import t, { type Test } from "tap";
import { type Answer, deliverWebhook } from "../../../src/domain/webhooks/deliver.ts";
import { resendDelivery } from "../../../src/domain/webhooks/resend.ts";
import { openStore } from "../../support/store.ts";
import { openSubscriber } from "../../support/webhooks.ts";

/** A webhook whose one delivery became a dead letter after two attempts. */
async function opened(t: Test) {
  const store = await openStore(t, { partitions: 1 });
  const at = openSubscriber(store);
  const webhook = await at.subscribe();
  await at.fire();
  let answer: Answer = { statusCode: 500, retryAfterSeconds: null };
  const sent: { headers: Record<string, string>; body: string }[] = [];
  const deps = {
    ...at,
    clock: store.clock,
    webhookRetrySchedule: [0, 10_000],
    webhookHoldLimitMs: 60_000,
    webhookSender: {
      async post(_url: string, headers: Record<string, string>, body: string) {
        sent.push({ headers, body });
        return answer;
      },
    },
  };
  const attempt = async () => {
    const [task] = await at.take();
    if (task === undefined) throw new Error("nothing waits");
    const { outcome } = await deliverWebhook(deps, task, new AbortController().signal);
    store.clock.forward(20_000);
    return outcome;
  };
  t.equal(await attempt(), "retrying");
  t.equal(await attempt(), "dead_lettered");
  const [dead] = await at.history(webhook);
  if (dead === undefined) throw new Error("there is no delivery");
  const input = { tenantId: at.tenantId, deliveryId: dead.id };
  return {
    ...at,
    store,
    webhook,
    dead,
    sent,
    attempt,
    deps,
    answers(statusCode: number) {
      answer = { statusCode, retryAfterSeconds: null };
    },
    resend: (given = input) => resendDelivery(deps, given),
  };
}

t.test("a dead delivery gets all its attempts once more, and keeps its ids and its history", async (t) => {
  const at = await opened(t);
  const nextAttemptAtMs = at.store.clock.nowMs();
  t.match(await at.resend(), { ...at.dead, status: "pending", nextAttemptAtMs });
  t.strictSame([await at.attempt(), await at.attempt()], ["retrying", "dead_lettered"]);
  await at.resend();
  at.answers(204);
  t.equal(await at.attempt(), "delivered");
  const [delivery] = await at.history(at.webhook);
  t.match(delivery, { status: "delivered", nextAttemptAtMs: null });
  t.strictSame(
    delivery?.attempts.map(({ number, statusCode }) => [number, statusCode]),
    [500, 500, 500, 500, 204].map((statusCode, index) => [index + 1, statusCode]),
  );
  const ids = at.sent.map(({ headers, body }) => `${headers["X-Service-Delivery"]} ${body}`);
  t.equal(new Set(ids).size, 1, "a receiver sees repeats of one delivery");
});

t.test("nothing is sent again to a webhook that is switched off or deleted", async (t) => {
  const at = await opened(t);
  const inactive = await at.change(at.webhook, { isActive: false });
  await t.rejects(at.resend(), { code: "invalid_state", detail: /not active.*is_active to true/ });
  await at.webhooks.remove(inactive, null);
  await t.rejects(at.resend(), { code: "invalid_state", detail: /webhook was deleted/ });
  t.strictSame(await at.take(), []);
});

t.test("a refusal says why: in a worker's hands, or no longer with a body", async (t) => {
  const at = await opened(t);
  await at.resend();
  const [task] = await at.take();
  t.ok(task);
  await t.rejects(at.resend(), { code: "invalid_state", detail: /A worker is sending it right now/ });
  const other = await opened(t);
  await other.store.connection.del(other.store.keys.event(other.tenantId, other.dead.eventId));
  await t.rejects(other.resend(), { code: "invalid_state", detail: /older than 30 days/ });
});

t.test("there is no delivery of another tenant's, nor under what is no id", async (t) => {
  const at = await opened(t);
  const { id } = at.dead;
  for (const given of [
    { tenantId: at.store.ids.uuid(), deliveryId: id },
    { tenantId: at.tenantId, deliveryId: at.store.ids.uuid() },
    { tenantId: at.tenantId, deliveryId: `${id}:x` },
  ]) {
    await t.rejects(at.resend(given), { code: "not_found", detail: new RegExp(given.deliveryId) });
  }
});
