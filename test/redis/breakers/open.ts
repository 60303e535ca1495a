import t from "tap";
import { down, openEndpoint, up } from "../../support/breakers.ts";
import { openQueue, silence } from "../../support/work.ts";

t.test(
  "while it is open, what comes due is parked without an attempt, and says when it is tried",
  async (t) => {
    const at = await openEndpoint(t);
    await at.untilOpen(10);
    t.match(await at.health(), { breaker: "open", parked: 10 });
    const before = await at.look();
    await at.fire();
    t.match(await at.work(), [{ outcome: "parked" }]);
    t.strictSame(at.calls, []);
    const { nextProbeAtMs } = await at.health();
    const after = await at.look();
    for (const delivery of after) t.equal(delivery.nextAttemptAtMs, nextProbeAtMs);
    t.strictSame(
      after.map(({ status }) => status),
      ["pending", ...Array(10).fill("retrying")],
    );
    t.strictSame(
      after.slice(1).map(({ attempts }) => attempts.length),
      before.map(({ attempts }) => attempts.length),
    );
    const key = at.store.keys.record(at.tenantId, "delivery", after[0]?.id ?? "");
    t.strictSame(await at.store.connection.hmget(key, "send:state", "send:entry", "send:attempts"), [
      ...["parked", "", "0"],
    ]);
  },
);

t.test("one probe at a time goes, the oldest first, and is an attempt like any other", async (t) => {
  const at = await openEndpoint(t);
  await at.untilOpen(5);
  t.match(await at.tend(), { probes: 0 }, "it is not time");
  await at.forwardToProbe();
  const oldest = (
    await at.store.connection.zrange(at.store.keys.parked(at.tenantId, at.webhook.id), "0", "0")
  )[0];
  t.match(await at.tend(), { probes: 1, released: 0 });
  t.match(await at.tend(), { probes: 0 }, "while one is under way");
  t.match(await at.health(), { breaker: "half_open", parked: 4 });
  const [probe, ...others] = await at.take();
  t.strictSame(others, []);
  t.equal(probe?.id, oldest);
  if (probe === undefined) throw new Error("there is no probe");
  const before = (await at.look()).find(({ id }) => id === probe.id)?.attempts.length ?? 0;
  t.match(await at.deliver(probe), { outcome: "retrying", attempt: { statusCode: 500 } });
  t.equal((await at.look()).find(({ id }) => id === probe.id)?.attempts.length, before + 1);
  t.match(await at.health(), { breaker: "open" });
});

t.test("each probe that fails doubles the wait, up to five minutes, give or take a fifth", async (t) => {
  const at = await openEndpoint(t);
  await at.untilOpen(5);
  const waits: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    await at.forwardToProbe();
    await at.tend();
    await at.work();
    const { nextProbeAtMs } = await at.health();
    waits.push((nextProbeAtMs ?? 0) - at.store.clock.nowMs());
  }
  for (const [index, expected] of [20, 40, 80, 160, 300, 300, 300].entries()) {
    const ms = waits[index] ?? 0;
    t.ok(ms >= expected * 800 && ms <= expected * 1200, `${ms} ms is ${expected} s ±20 %`);
  }
  t.equal(at.calls.length, 7);
});

t.test("where nothing is parked, the next delivery that comes due after the wait is the probe", async (t) => {
  const at = await openEndpoint(t, { schedule: [0, 30_000] });
  at.answers(down);
  await at.fireMany(10);
  await at.work();
  at.store.clock.forward(36_000);
  await at.work();
  t.match(await at.health(), { breaker: "open", parked: 0 }, "all are dead letters");
  t.match(await at.tend(), { probes: 0, nextDueAtMs: null });
  await at.forwardToProbe();
  await at.fireMany(2);
  t.match(await at.work(), [{ outcome: "retrying" }, { outcome: "parked" }]);
});

t.test(
  "a success closes it, and what was parked goes back to the queue in stretches, in its order",
  async (t) => {
    const at = await openEndpoint(t);
    await at.untilOpen(5);
    at.answers(up);
    await at.fireMany(200);
    await at.work();
    const waiting = await at.store.connection.zrange(
      at.store.keys.parked(at.tenantId, at.webhook.id),
      "0",
      "-1",
    );
    t.equal(waiting.length, 205);
    await at.forwardToProbe();
    await at.tend();
    t.match(await at.work(), [{ outcome: "delivered" }]);
    t.match(await at.health(), { breaker: "closed", failuresInARow: 0, parked: 204 });
    const order: string[] = [waiting[0] ?? ""];
    const stretches: number[] = [];
    for (;;) {
      const { released, nextDueAtMs } = await at.tend();
      stretches.push(released);
      const tasks = await at.take();
      order.push(...tasks.map(({ id }) => id));
      for (const task of tasks) t.match(await at.deliver(task), { outcome: "delivered" });
      if (nextDueAtMs === null) break;
      at.store.clock.setTo(nextDueAtMs);
    }
    t.strictSame(stretches, [100, 100, 4]);
    t.strictSame([...order].sort(), [...waiting].sort());
    t.strictSame(order, waiting);
    t.equal(await at.store.connection.exists(at.store.keys.breakers(0)), 0, "nothing is left to tend");
  },
);

t.test("any success closes it, that of an attempt that began before it opened, too", async (t) => {
  const at = await openEndpoint(t);
  at.answers(up);
  await at.fire();
  const [early] = await at.take();
  await at.untilOpen(5);
  at.answers(up);
  if (early === undefined) throw new Error("there is no delivery");
  await at.deliveries.settle(
    early,
    { number: 1, atMs: 0, statusCode: 200, durationMs: 1, error: null },
    { delivered: true },
    "0",
  );
  t.match(await at.health(), { breaker: "closed" });
});

t.test("a delivery stays parked for so long and no longer, and the dead letter says why", async (t) => {
  const at = await openEndpoint(t, { parkLimitMs: 3_600_000 });
  await at.untilOpen(5);
  const parkedAtMs = at.store.clock.nowMs();
  await at.store.connection.hset(
    at.store.keys.webhook(at.tenantId, at.webhook.id),
    ...["probe_at", String(parkedAtMs + 7_200_000)],
  );
  await at.store.connection.zadd(at.store.keys.breakers(0), 0, `${at.tenantId} ${at.webhook.id}`);
  t.match(await at.tend(), { buried: 0, nextDueAtMs: parkedAtMs + 3_600_000 }, "it is looked at just then");
  at.store.clock.forward(3_599_999);
  t.match(await at.tend(), { buried: 0 });
  at.store.clock.forward(1);
  t.match(await at.tend(), { buried: 5 });
  t.strictSame(await at.reasons(), Array(5).fill("endpoint_down"));
  for (const { status, attempts, nextAttemptAtMs } of await at.look()) {
    t.match({ status, nextAttemptAtMs }, { status: "dead_lettered", nextAttemptAtMs: null });
    t.match(attempts.at(-1), {
      number: attempts.length,
      atMs: at.store.clock.nowMs(),
      statusCode: null,
      durationMs: 0,
      error: /^not sent: the endpoint failed/,
    });
  }
  const [event] = (await at.look()).map(({ eventId }) => eventId);
  t.equal(
    await at.store.connection.ttl(at.store.keys.event(at.tenantId, event ?? "")),
    -1,
    "its body is kept",
  );
});

t.test("the time of what is parked is over before the next probe, too", async (t) => {
  const at = await openEndpoint(t, { parkLimitMs: 3000 });
  await at.untilOpen(5);
  const { nextProbeAtMs } = await at.health();
  t.ok((nextProbeAtMs ?? 0) > at.store.clock.nowMs() + 3000);
  at.store.clock.forward(3000);
  t.match(await at.tend(), { buried: 5, probes: 0 });
  await at.fire();
  t.match(await at.work(), [{ outcome: "parked" }]);
  at.store.clock.forward(2999);
  t.match(await at.tend(), { buried: 0 });
  at.store.clock.forward(1);
  t.match(await at.tend(), { buried: 1 }, "also of what comes while nothing is parked");
});

t.test("what is sent again after it was parked for too long keeps its whole history", async (t) => {
  const at = await openEndpoint(t, { parkLimitMs: 3_600_000 });
  await at.untilOpen(5);
  at.store.clock.forward(3_600_000);
  await at.store.connection.zadd(at.store.keys.breakers(0), 0, `${at.tenantId} ${at.webhook.id}`);
  t.match(await at.tend(), { buried: 5 });
  const [before] = await at.look();
  if (before === undefined) throw new Error("there is no delivery");
  t.equal(await at.deliveries.resend(before, at.store.clock.nowMs()), "queued");
  at.answers(up);
  t.match(await at.work(), [{ outcome: "delivered" }]);
  const after = await at.deliveries.find(at.tenantId, before.id);
  t.strictSame(after?.attempts.slice(0, -1), before.attempts);
  t.match(after?.attempts.at(-1), { number: before.attempts.length + 1, statusCode: 204 });
});

t.test("a worker that dies with the probe leaves nothing stuck: who reclaims it probes", async (t) => {
  const at = await openEndpoint(t);
  await at.untilOpen(5);
  await at.forwardToProbe();
  await at.tend();
  const [probe] = await at.take();
  if (probe === undefined) throw new Error("there is no probe");
  at.store.clock.forward(60_000);
  t.match(await at.tend(), { probes: 0 }, "somebody seems to have it");
  await silence(at.store, probe, 60_000);
  await (await openQueue(at.store)).reclaimLost();
  at.answers(up);
  t.match(await at.work(), [{ outcome: "delivered" }]);
  t.match(await at.health(), { breaker: "closed" });
});

t.test("a probe whose record is gone makes room for the next", async (t) => {
  const at = await openEndpoint(t);
  await at.untilOpen(5);
  await at.forwardToProbe();
  await at.tend();
  const [probe] = await at.take();
  await at.store.connection.del(at.store.keys.record(at.tenantId, "delivery", probe?.id ?? ""));
  at.store.clock.forward(5000);
  t.match(await at.tend(), { probes: 1 });
});

t.test("who parks twice is told the same, and who lost the lease that it is lost", async (t) => {
  const at = await openEndpoint(t);
  await at.untilOpen(5);
  await at.fire();
  const [task] = await at.take();
  if (task === undefined) throw new Error("there is no delivery");
  const nowMs = at.store.clock.nowMs();
  t.equal(await at.deliveries.park(task, nowMs), "parked");
  t.equal(await at.deliveries.park(task, nowMs), "parked");
  at.answers(down);
  await at.change(at.webhook, { url: "https://new.example.com/" });
  await at.tend();
  t.equal(await at.deliveries.park(task, nowMs), "lost");
});

t.test("open breakers and parked deliveries are counted over all partitions", async (t) => {
  const at = await openEndpoint(t);
  t.strictSame(await at.breakers.depth(), { open: 0, parked: 0 });
  await at.untilOpen(7);
  t.strictSame(await at.breakers.depth(), { open: 1, parked: 7 });
  const troubled = { tenantId: at.tenantId, webhookId: at.webhook.id };
  t.strictSame(await at.breakers.troubled(10), [troubled], "and which they are can be told");
  await at.change(at.webhook, { isActive: true, url: "https://new.example.com/" });
  t.strictSame(await at.breakers.depth(), { open: 0, parked: 7 });
  await at.tend();
  t.strictSame(await at.breakers.depth(), { open: 0, parked: 0 });
  t.strictSame(await at.breakers.troubled(10), []);
});

t.test(
  "where the lost probe was all there was, the next delivery that comes due takes its place",
  async (t) => {
    const at = await openEndpoint(t);
    await at.untilOpen(5);
    await at.store.connection.del(at.store.keys.parked(at.tenantId, at.webhook.id));
    await at.forwardToProbe();
    await at.fire();
    const [probe] = await at.take();
    if (probe === undefined) throw new Error("there is no delivery");
    t.equal(await at.deliveries.park(probe, at.store.clock.nowMs()), "send");
    await at.store.connection.del(at.store.keys.record(at.tenantId, "delivery", probe.id));
    await at.fire();
    t.match(await at.work(), [{ outcome: "parked" }], "while the other may be on its way");
    await at.store.connection.del(at.store.keys.parked(at.tenantId, at.webhook.id));
    at.store.clock.forward(5000);
    await at.tend();
    await at.fire();
    at.answers(up);
    t.match(await at.work(), [{ outcome: "delivered" }]);
  },
);

t.test("what was lost from the parked deliveries, or with the index, is found again", async (t) => {
  const at = await openEndpoint(t);
  await at.untilOpen(5);
  const { connection, keys } = at.store;
  const queue = await openQueue(at.store, { leaseMs: 0 });
  t.equal(await queue.reconcile(0), 0, "what is parked is where it belongs");
  await connection.del(keys.breakers(0));
  t.equal(await queue.reconcile(0), 0);
  await at.forwardToProbe();
  t.match(await at.tend(), { probes: 1 }, "somebody looks after it again");
  await connection.del(keys.parked(at.tenantId, at.webhook.id));
  t.equal(await queue.reconcile(0), 4, "all but the probe, which waits already");
  t.equal((await at.take()).length, 5);
});
