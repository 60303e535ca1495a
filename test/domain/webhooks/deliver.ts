import { randomBytes } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import t, { type Test } from "tap";
import { createVault } from "../../../src/crypto/vault.ts";
import { PasswrightError } from "../../../src/domain/errors.ts";
import type { Task } from "../../../src/domain/jobs/work.ts";
import { type Answer, deliverWebhook } from "../../../src/domain/webhooks/deliver.ts";
import { createWebhookStore } from "../../../src/redis/webhooks.ts";
import { openStore } from "../../support/store.ts";
import { openSubscriber, plainSecret } from "../../support/webhooks.ts";

const signal = new AbortController().signal;
const ok: Answer = { statusCode: 204, retryAfterSeconds: null };
const down: Answer = { statusCode: 500, retryAfterSeconds: null };

/** A webhook with one delivery that waits, and a receiver that answers as it is told. */
async function opened(t: Test, schedule: readonly number[] = [0, 10_000]) {
  const store = await openStore(t, { partitions: 1 });
  const at = openSubscriber(store);
  const webhook = await at.subscribe();
  await at.fire();
  const calls: { url: string; headers: Record<string, string>; body: string }[] = [];
  let answer: Answer = ok;
  const deps = {
    ...at,
    clock: store.clock,
    webhookRetrySchedule: schedule,
    webhookHoldLimitMs: 60_000,
    webhookSender: {
      async post(url: string, headers: Record<string, string>, body: string) {
        calls.push({ url, headers, body });
        return answer;
      },
    },
  };
  return {
    ...at,
    store,
    deps,
    webhook,
    calls,
    answers(next: Answer) {
      answer = next;
    },
    async taken(): Promise<Task> {
      const [task] = await at.take();
      if (task === undefined) throw new Error("nothing waits");
      return task;
    },
    /** Makes the attempt that is due. */
    async attempt(through: Parameters<typeof deliverWebhook>[0] = deps) {
      const [task] = await at.take();
      if (task === undefined) throw new Error("nothing waits");
      return deliverWebhook(through, task, signal);
    },
    delivery: async () => (await at.history(webhook))[0],
    /** What waits for its time, as the queue names it. */
    waiting: async () =>
      (await store.connection.zrange(store.keys.delayed(at.partition, "webhooks"), "0", "-1"))[0] ?? "",
    reasons: async () => {
      const letters = await store.connection.xrange(store.keys.deadLetters(0), "-", "+");
      return letters.map(([, fields]) => fields[fields.indexOf("reason") + 1]);
    },
  };
}

t.test(
  "a delivery goes to the address that the webhook has now, signed with the secret that it has now",
  async (t) => {
    const at = await opened(t);
    at.answers(down);
    t.match(await at.attempt(), { outcome: "retrying" });
    const changes = { url: "https://new.example.com/", secretPrefix: "stap" };
    await at.change(at.webhook, changes, "staple-staple");
    at.store.clock.forward(20_000);
    at.answers(ok);
    t.match(await at.attempt(), { outcome: "delivered" });
    t.strictSame(
      at.calls.map(({ url }) => url),
      ["https://hooks.example.com/passes", "https://new.example.com/"],
    );
    for (const [index, secret] of [plainSecret, "staple-staple"].entries()) {
      const { headers = {}, body = "" } = at.calls[index] ?? {};
      const verifier = new StandardWebhook(secret, { format: "raw" });
      // Its tolerance is five minutes around the real time, and the test's clock stands elsewhere.
      const sentAt = new Date(Number(headers["webhook-timestamp"]) * 1000);
      t.equal(verifier.sign(headers["webhook-id"] ?? "", sentAt, body), headers["webhook-signature"]);
    }
    t.match(await at.delivery(), {
      status: "delivered",
      attempts: [
        { number: 1, statusCode: 500, error: "answered 500" },
        { number: 2, error: null },
      ],
    });
  },
);

// biome-ignore format: read as a table
const ends: readonly [name: string, reason: string, error: string, change: (at: Awaited<ReturnType<typeof opened>>) => Promise<unknown>][] = [
  ["that is not active", "webhook_inactive", "not sent: the webhook is not active",
    (at) => at.change(at.webhook, { isActive: false })],
  ["whose event has expired", "event_expired", "not sent: the event is older than its retention",
    async (at) => at.store.connection.del(at.store.keys.event(at.tenantId, (await at.delivery())?.eventId ?? ""))],
];

for (const [name, reason, error, change] of ends) {
  t.test(
    `a delivery ${name.replace(/^that/, "to a webhook that")} ends visibly, without a call`,
    async (t) => {
      const at = await opened(t);
      await change(at);
      const nowMs = at.store.clock.nowMs();
      t.match(await at.attempt(), { outcome: "dead_lettered", attempt: { error } });
      t.strictSame(at.calls, []);
      t.match(await at.delivery(), {
        status: "dead_lettered",
        attempts: [{ number: 1, atMs: nowMs, statusCode: null, durationMs: 0, error }],
        nextAttemptAtMs: null,
      });
      t.strictSame(await at.reasons(), [reason]);
      t.strictSame(await at.take(), []);
    },
  );
}

t.test("a delivery to a webhook that was deleted ends in the dead letters, without a call", async (t) => {
  const at = await opened(t);
  const id = (await at.delivery())?.id ?? "";
  await at.webhooks.remove(at.webhook, null);
  t.match(await at.attempt(), { outcome: "dead_lettered" });
  t.strictSame(at.calls, []);
  t.strictSame(await at.reasons(), ["webhook_deleted"]);
  t.match(await at.deliveries.find(at.tenantId, id), {
    status: "dead_lettered",
    attempts: [{ error: "not sent: the webhook was deleted" }],
  });
  t.strictSame(await at.history(at.webhook), [], "the list does not come back");
});

t.test("a webhook that is active again when a delivery is due gets it", async (t) => {
  const at = await opened(t);
  const inactive = await at.change(at.webhook, { isActive: false });
  await at.fire();
  await at.change(inactive, { isActive: true });
  t.match(await at.attempt(), { outcome: "delivered" });
  t.equal((await at.history(at.webhook)).length, 1, "what happened while it was inactive is not sent later");
});

t.test("a webhook that is deactivated during a call keeps what came of it", async (t) => {
  const at = await opened(t);
  const { post } = at.deps.webhookSender;
  const webhookSender = {
    async post(...call: Parameters<typeof post>) {
      await at.change(at.webhook, { isActive: false });
      return post(...call);
    },
  };
  t.match(await at.attempt({ ...at.deps, webhookSender }), { outcome: "delivered" });
  t.match(await at.delivery(), { status: "delivered" });
});

t.test(
  "a secret that cannot be opened costs no attempt, and ends the delivery only when it stays so",
  async (t) => {
    const at = await opened(t, [0, 0]);
    const webhooks = createWebhookStore({ ...at.store, vault: createVault([randomBytes(32)]) });
    const blind = { ...at.deps, webhooks };
    for (let round = 0; round < 5; round += 1) {
      t.match(await at.attempt(blind), { outcome: "held", reason: "secret_unreadable", err: /master key/ });
      t.match(await at.delivery(), { status: "pending", attempts: { length: 0 } });
      const { nextAttemptAtMs } = (await at.delivery()) ?? {};
      const waitMs = (nextAttemptAtMs ?? 0) - at.store.clock.nowMs();
      t.ok(waitMs >= 24_000 && waitMs <= 36_000, `looked at again in ${waitMs} ms`);
      t.strictSame(await at.take(), [], "and not before");
      // Well within the limit of a minute each time: it is the first time that counts.
      at.store.clock.forward(round < 4 ? 0 : 60_000);
      await at.store.connection.zadd(at.store.keys.delayed(at.partition, "webhooks"), 0, await at.waiting());
    }
    t.match(await at.attempt(blind), {
      outcome: "dead_lettered",
      attempt: { number: 1, error: "not sent: the webhook's secret cannot be decrypted" },
    });
    t.strictSame(await at.reasons(), ["secret_unreadable"]);
    t.strictSame(at.calls, []);
  },
);

t.test("a delivery that was held is sent as its first attempt once the key is there", async (t) => {
  const at = await opened(t);
  const webhooks = createWebhookStore({ ...at.store, vault: createVault([randomBytes(32)]) });
  await at.attempt({ ...at.deps, webhooks });
  at.store.clock.forward(40_000);
  t.match(await at.attempt(), { outcome: "delivered", attempt: { number: 1 } });
});

t.test("how long a delivery was held is counted anew for each attempt", async (t) => {
  const at = await opened(t, [0, 0]);
  const webhooks = createWebhookStore({ ...at.store, vault: createVault([randomBytes(32)]) });
  await at.attempt({ ...at.deps, webhooks });
  at.store.clock.forward(40_000);
  at.answers(down);
  t.match(await at.attempt(), { outcome: "retrying", attempt: { number: 1 } });
  at.store.clock.forward(40_000);
  t.match(await at.attempt({ ...at.deps, webhooks }), { outcome: "held" });
});

t.test("what is sent again after it was held for too long may be held for as long again", async (t) => {
  const at = await opened(t);
  const webhooks = createWebhookStore({ ...at.store, vault: createVault([randomBytes(32)]) });
  const blind = { ...at.deps, webhooks };
  t.match(await at.attempt(blind), { outcome: "held" });
  at.store.clock.forward(60_000);
  t.match(await at.attempt(blind), { outcome: "dead_lettered" });
  const delivery = await at.delivery();
  if (delivery === undefined) throw new Error("there is no delivery");
  t.equal(await at.deliveries.resend(delivery, at.store.clock.nowMs()), "queued");
  t.match(await at.attempt(blind), { outcome: "held" });
});

t.test(
  "a fault of the sender's own costs no attempt either, and does not count for the endpoint",
  async (t) => {
    const at = await opened(t);
    const webhookSender = { post: () => Promise.reject(new TypeError("a bug")) };
    t.match(await at.attempt({ ...at.deps, webhookSender }), { outcome: "held", reason: "system_fault" });
    t.match(await at.delivery(), { status: "pending", attempts: { length: 0 } });
    t.equal(
      await at.store.connection.hget(at.store.keys.webhook(at.tenantId, at.webhook.id), "failures"),
      null,
    );
  },
);

t.test(
  "what an attempt came to is written when the store is back, and the call is not made again",
  async (t) => {
    const at = await opened(t);
    const outages = [1, 2, 3];
    const deliveries = {
      ...at.deliveries,
      async settle(...settling: Parameters<typeof at.deliveries.settle>) {
        if (outages.pop() !== undefined)
          throw new PasswrightError("unavailable", "The store does not answer.");
        return at.deliveries.settle(...settling);
      },
    };
    t.match(await at.attempt({ ...at.deps, deliveries }), { outcome: "delivered", attempt: { number: 1 } });
    t.match(await at.delivery(), { status: "delivered", attempts: [{ number: 1, statusCode: 204 }] });
    t.equal(at.calls.length, 1);
  },
);

t.test("a store whose answer was lost has written the attempt, and is believed", async (t) => {
  const at = await opened(t);
  at.answers(down);
  let lost = 0;
  const deliveries = {
    ...at.deliveries,
    async settle(...settling: Parameters<typeof at.deliveries.settle>) {
      const written = await at.deliveries.settle(...settling);
      if (lost++ === 0) throw new PasswrightError("unavailable", "The store does not answer.");
      return written;
    },
  };
  t.match(await at.attempt({ ...at.deps, deliveries }), { outcome: "retrying" });
  t.equal(lost, 2);
  t.match(await at.delivery(), { status: "retrying", attempts: { length: 1 } });
  t.equal(await at.store.connection.hget(at.store.keys.webhook(at.tenantId, at.webhook.id), "failures"), "1");
});

t.test("an attempt that is no longer ours is not written for ever", async (t) => {
  const at = await opened(t);
  const ending = new AbortController();
  const deliveries = {
    ...at.deliveries,
    async settle(): Promise<boolean> {
      ending.abort();
      throw new PasswrightError("unavailable", "The store does not answer.");
    },
  };
  const task = await at.taken();
  await t.rejects(deliverWebhook({ ...at.deps, deliveries }, task, ending.signal), { code: "unavailable" });
});
