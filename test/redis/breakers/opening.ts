import t from "tap";
import { deliverWebhook } from "../../../src/domain/webhooks/deliver.ts";
import { down, openEndpoint, up } from "../../support/breakers.ts";

t.test(
  "twenty failures in a row that span half a minute open the breaker, and nineteen do not",
  async (t) => {
    const at = await openEndpoint(t);
    at.answers(down);
    await at.fireMany(19);
    const beganAtMs = at.store.clock.nowMs();
    await at.work();
    t.match(await at.health(), { breaker: "closed", failuresInARow: 19, failingSinceMs: beganAtMs });
    at.store.clock.forward(30_000);
    const [task] = await at.take();
    if (task === undefined) throw new Error("nothing is due");
    await at.deliver(task);
    const { nextProbeAtMs, ...health } = await at.health();
    t.strictSame(health, {
      breaker: "open",
      failuresInARow: 20,
      failingSinceMs: beganAtMs,
      openedAtMs: at.store.clock.nowMs(),
      parked: 0,
    });
    const waitMs = (nextProbeAtMs ?? 0) - at.store.clock.nowMs();
    t.ok(waitMs >= 8000 && waitMs <= 12_000, `probed in ${waitMs} ms`);
  },
);

t.test("a hundred failures in less than half a minute do not", async (t) => {
  const at = await openEndpoint(t);
  at.answers(down);
  await at.fireMany(50);
  await at.work();
  at.store.clock.forward(29_999);
  await at.work();
  t.match(await at.health(), { breaker: "closed", failuresInARow: 100 });
});

t.test("one success in between begins the count anew", async (t) => {
  const at = await openEndpoint(t);
  at.answers(down);
  await at.fireMany(19);
  await at.work();
  at.answers(up);
  await at.fire();
  const fresh = (await at.take()).at(-1);
  if (fresh === undefined) throw new Error("nothing is due");
  await at.deliver(fresh);
  t.match(await at.health(), { failuresInARow: 0, failingSinceMs: null });
  at.answers(down);
  at.store.clock.forward(30_000);
  await at.fireMany(19);
  await at.work();
  t.match(await at.health(), { breaker: "closed" });
});

t.test("a receiver of a few events that is down for good has its dead letters at their times", async (t) => {
  const schedule = [0, 10_000, 60_000, 600_000, 3_600_000];
  const at = await openEndpoint(t, { schedule });
  at.answers(down);
  const firedAtMs = at.store.clock.nowMs();
  await at.fireMany(4);
  let latestMs = firedAtMs;
  for (const waitMs of schedule) {
    latestMs += waitMs * 1.2;
    at.store.clock.setTo(latestMs);
    for (const report of await at.work()) t.match(report, { outcome: /retrying|dead_lettered/ });
  }
  t.strictSame(await at.reasons(), Array(4).fill("http_500"));
  for (const { attempts, status } of await at.look()) {
    t.equal(attempts.length, 5);
    t.equal(status, "dead_lettered");
  }
});

t.test("one event after the other, all in vain, never comes to so many that the breaker opens", async (t) => {
  const schedule = [0, 10_000, 60_000, 600_000, 3_600_000];
  const at = await openEndpoint(t, { schedule });
  at.answers(down);
  for (let event = 0; event < 6; event += 1) {
    await at.fire();
    for (const waitMs of schedule) {
      at.store.clock.forward(waitMs * 1.2);
      for (const report of await at.work()) t.match(report, { outcome: /retrying|dead_lettered/ });
    }
  }
  t.match(await at.health(), { breaker: "closed", failuresInARow: 30 });
  for (const { attempts } of await at.look()) t.equal(attempts.length, 5);
});

t.test("what an attempt to the old address came to does not count for the new one", async (t) => {
  const at = await openEndpoint(t);
  await at.fire();
  const [task] = await at.take();
  if (task === undefined) throw new Error("nothing is due");
  const webhookSender = {
    async post() {
      await at.change(at.webhook, { url: "https://new.example.com/" });
      return down;
    },
  };
  const deps = { ...at, clock: at.store.clock, webhookRetrySchedule: [0, 1000], webhookHoldLimitMs: 1000 };
  const { signal } = new AbortController();
  t.match(await deliverWebhook({ ...deps, webhookSender }, task, signal), { outcome: "retrying" });
  t.match(await at.health(), { failuresInARow: 0 });
});

t.test("deliveries that must not be sent say nothing about the endpoint", async (t) => {
  const at = await openEndpoint(t);
  await at.fireMany(3);
  await at.change(at.webhook, { isActive: false });
  for (const report of await at.work()) t.match(report, { outcome: "dead_lettered" });
  t.match(await at.health(), { failuresInARow: 0 });
});

t.test("each webhook has a breaker of its own, also at the same address", async (t) => {
  const at = await openEndpoint(t);
  await at.untilOpen();
  const other = await at.subscribe();
  at.answers(up);
  await at.fire();
  const reports = await at.work();
  t.strictSame(reports.map(({ outcome }) => outcome).sort(), ["delivered", "parked"]);
  t.match(await at.look(other), [{ status: "delivered" }]);
});
