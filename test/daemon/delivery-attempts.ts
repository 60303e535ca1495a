import { createHmac } from "node:crypto";
import { Webhook as Verifier } from "standardwebhooks";
import t, { type Test } from "tap";
import type { Task } from "../../src/domain/jobs/work.ts";
import { type Answer, deliverWebhook } from "../../src/domain/webhooks/deliver.ts";
import { createDeliveryStore } from "../../src/redis/deliveries.ts";
import { createWebhookStore } from "../../src/redis/webhooks.ts";
import { openIssuer } from "../support/issuer.ts";
import { keySpace } from "../support/key-space.ts";
import { openOutbox } from "../support/outbox.ts";
import { openStore } from "../support/store.ts";
import { claimOf, openQueue, silence } from "../support/work.ts";

const never = new AbortController().signal;
const secret = "correct horse battery";
const webhookRetrySchedule = [0, 10_000, 60_000];
const arrived: Answer = { statusCode: 200, retryAfterSeconds: null };

/** A delivery of an accepted pass, and a receiver that answers as the test says. */
async function delivering(t: Test) {
  const store = await openStore(t);
  store.clock.setTo(Date.now());
  const issuer = await openIssuer(store, { wallets: ["apple"] });
  const webhookId = await issuer.subscribe("pass.created");
  await issuer.create();
  await openOutbox(store).fanOut(10);
  const queue = await openQueue(store);
  const deliveries = createDeliveryStore(store);
  const posts: { url: string; headers: Record<string, string>; body: string }[] = [];
  let answer: () => Promise<Answer> = async () => arrived;
  const deps = {
    webhooks: createWebhookStore(store),
    deliveries,
    webhookSender: {
      post(url: string, headers: Record<string, string>, body: Uint8Array | string) {
        posts.push({ url, headers, body: Buffer.from(body).toString() });
        store.clock.forward(7);
        return answer();
      },
    },
    webhookRetrySchedule,
    webhookHoldLimitMs: 60_000,
    clock: store.clock,
  };
  const take = async (): Promise<Task> => {
    const task = (await claimOf(queue, issuer)).find(({ kind }) => kind === "delivery");
    if (task === undefined) throw new Error("there is no delivery");
    return task;
  };
  return {
    store,
    issuer,
    queue,
    posts,
    webhookId,
    take,
    answers(given: Answer | (() => Promise<Answer>)) {
      answer = typeof given === "function" ? given : async () => given;
    },
    deliver: (task: Task, signal = never) => deliverWebhook(deps, task, signal),
    look: (task: Task) => deliveries.find(issuer.tenantId, task.id),
    /** Moves the time to the next attempt; answers how long that was. */
    async untilDue(): Promise<number> {
      const { nextDueAtMs } = await queue.promoteDue(0);
      const waitMs = (nextDueAtMs ?? 0) - store.clock.nowMs();
      store.clock.forward(waitMs);
      await queue.promoteDue(store.clock.nowMs());
      return waitMs;
    },
  };
}

t.test("a delivery is signed so that its receiver can verify the bytes it gets", async (t) => {
  const at = await delivering(t);
  const task = await at.take();
  const startedAtMs = at.store.clock.nowMs();
  t.match(await at.deliver(task), { outcome: "delivered", attempt: { number: 1, statusCode: 200 } });
  const [post] = at.posts;
  if (post === undefined) throw new Error("nothing was posted");
  t.equal(post.url, "https://hooks.example.com/passes");
  t.match(post.headers, {
    "X-Service-Event": "pass.created",
    "X-Service-Delivery": task.id,
    "X-Service-Signature": `sha256=${createHmac("sha256", secret).update(post.body).digest("hex")}`,
  });
  const verifier = new Verifier(secret, { format: "raw" });
  t.match(verifier.verify(post.body, post.headers), { type: "pass.created", tenant_id: at.issuer.tenantId });
  t.throws(() => verifier.verify(`${post.body} `, post.headers));
  t.strictSame((await at.look(task))?.attempts, [
    { number: 1, atMs: startedAtMs, statusCode: 200, durationMs: 7, error: null },
  ]);
});

t.test("a delivery keeps its id and its bytes over all attempts, until it is given up", async (t) => {
  const at = await delivering(t);
  at.answers({ statusCode: 500, retryAfterSeconds: null });
  for (const wait of [10_000, 60_000]) {
    t.match(await at.deliver(await at.take()), { outcome: "retrying" });
    const waitMs = await at.untilDue();
    t.ok(waitMs >= wait * 0.8 && waitMs <= wait * 1.2, `${waitMs} ms is ${wait} ms ±20 %`);
  }
  const last = await at.take();
  t.match(await at.deliver(last), { outcome: "dead_lettered", attempt: { error: "answered 500" } });
  t.match(await at.look(last), { status: "dead_lettered", attempts: { length: 3 }, nextAttemptAtMs: null });
  t.equal(new Set(at.posts.map(({ body }) => body)).size, 1);
  t.equal(new Set(at.posts.map(({ headers }) => headers["webhook-id"])).size, 1);
  t.equal(new Set(at.posts.map(({ headers }) => headers["webhook-timestamp"])).size, 3, "each with its time");
});

const answers: [name: string, answer: Answer, attempt: object][] = [
  ["a redirect", { statusCode: 302, retryAfterSeconds: null }, { statusCode: 302, error: "answered 302" }],
  ["a refusal", { statusCode: 404, retryAfterSeconds: null }, { statusCode: 404, error: "answered 404" }],
  ["no answer", { error: "connect ECONNREFUSED" }, { statusCode: null, error: "connect ECONNREFUSED" }],
];
for (const [name, answer, attempt] of answers) {
  t.test(`${name} counts as a failure and is tried again`, async (t) => {
    const at = await delivering(t);
    at.answers(answer);
    const task = await at.take();
    t.match(await at.deliver(task), { outcome: "retrying", attempt });
    t.match(await at.look(task), { status: "retrying", attempts: [attempt] });
  });
}

t.test("a receiver that names a time is not called before it, within an hour", async (t) => {
  for (const [asked, honoured] of [
    [120, 120_000],
    [86_400, 3_600_000],
  ] as const) {
    const at = await delivering(t);
    at.answers({ statusCode: 429, retryAfterSeconds: asked });
    await at.deliver(await at.take());
    t.equal(await at.untilDue(), honoured);
  }
});

t.test("an attempt whose lease was lost meanwhile reports so and writes nothing", async (t) => {
  const at = await delivering(t);
  const task = await at.take();
  await silence(at.store, task, 60_000);
  await at.queue.reclaimLost();
  const before = await keySpace(at.store);
  t.match(await at.deliver(task), { outcome: "lost" });
  at.answers({ error: "reset" });
  t.match(await at.deliver(task), { outcome: "lost" });
  t.strictSame(await keySpace(at.store), before);
});

t.test("an attempt that is ended from outside writes nothing", async (t) => {
  const at = await delivering(t);
  at.answers(() => Promise.reject(new Error("aborted")));
  const task = await at.take();
  const before = await keySpace(at.store);
  await t.rejects(at.deliver(task, AbortSignal.abort()));
  t.strictSame(await keySpace(at.store), before);
});

t.test("a delivery to a webhook that is gone by now calls nobody", async (t) => {
  const at = await delivering(t);
  await at.store.connection.del(at.store.keys.webhook(at.issuer.tenantId, at.webhookId));
  const report = await at.deliver(await at.take());
  t.match(report, { attempt: { statusCode: null, error: "not sent: the webhook was deleted" } });
  t.strictSame(at.posts, []);
});

t.test("a delivery that no worker survives ends as a dead letter, not in a circle", async (t) => {
  const at = await delivering(t);
  for (let attempt = 1; attempt <= webhookRetrySchedule.length; attempt++) {
    await silence(at.store, await at.take(), 60_000);
    await at.queue.reclaimLost();
  }
  const task = await at.take();
  t.match(await at.deliver(task), { outcome: "dead_lettered", attempt: { number: 4, statusCode: null } });
  t.strictSame(at.posts, [], "without another try");
  t.match(await at.look(task), { status: "dead_lettered" });
  const [letter] = await at.store.connection.xrange(at.store.keys.deadLetters(task.partition), "-", "+");
  t.match(letter?.[1], ["r", /:delivery:/, "l", "send", "reason", "worker_lost", "c", "webhooks"]);
});
