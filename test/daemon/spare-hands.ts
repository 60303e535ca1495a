import { randomUUID } from "node:crypto";
import t from "tap";
import { createConsumer, type TaskHandler } from "../../src/daemon/consumer.ts";
import { createSpareHands, eventLoopDelay } from "../../src/daemon/spare-hands.ts";
import { readableLog } from "../support/log.ts";
import { openStore } from "../support/store.ts";
import { until } from "../support/until.ts";
import { addJob, openQueue } from "../support/work.ts";

/** Hands whose time and delays are the test's; each look is long enough after the last. */
function handsAt(limits: { least: number; most: number }) {
  let [nowMs, delay] = [0, 0];
  const hands = createSpareHands({ ...limits, delayMs: () => delay, nowMs: () => nowMs });
  return (look: { delayMs: number; inUse: number; afterMs?: number }): number => {
    nowMs += look.afterMs ?? 1000;
    delay = look.delayMs;
    return hands.allowed(look.inUse);
  };
}

t.test("hands that are used and cost no time become more, up to the most", async (t) => {
  const look = handsAt({ least: 2, most: 20 });
  let allowed = look({ delayMs: 0, inUse: 0 });
  t.equal(allowed, 2, "at first there are few");
  for (let round = 0; round < 20; round++) allowed = look({ delayMs: 1, inUse: allowed });
  t.equal(allowed, 20);
  t.equal(look({ delayMs: 1, inUse: 20 }), 20);
});

t.test("hands that are not used do not become more", async (t) => {
  const look = handsAt({ least: 2, most: 20 });
  t.equal(look({ delayMs: 0, inUse: 1 }), 2);
  t.equal(look({ delayMs: 0, inUse: 1 }), 2);
});

t.test("when the loop is late they become fewer, and never none", async (t) => {
  const look = handsAt({ least: 1, most: 100 });
  let allowed = 1;
  while (allowed < 100) allowed = look({ delayMs: 0, inUse: allowed });
  const late = look({ delayMs: 200, inUse: allowed });
  t.ok(late < 100);
  for (let round = 0; round < 50; round++) allowed = look({ delayMs: 200, inUse: allowed });
  t.equal(allowed, 1);
  t.ok(look({ delayMs: 0, inUse: 1 }) > 1, "and more again when it is in time");
});

t.test("a single late moment between two measurements changes nothing", async (t) => {
  const look = handsAt({ least: 2, most: 20 });
  t.equal(look({ delayMs: 200, inUse: 2, afterMs: 1 }), 2);
  t.equal(look({ delayMs: 0, inUse: 2, afterMs: 1 }), 2);
});

t.test("the delay of an event loop that is blocked is noticed, also while it still is", async (t) => {
  const delayMs = eventLoopDelay();
  const block = (ms: number): void => {
    const end = performance.now() + ms;
    while (performance.now() < end);
  };
  await until("turns are measured", () => delayMs() >= 0);
  block(300);
  t.ok(delayMs() > 250, "no turn has ended");
  await until("the turn ends", () => delayMs() > 25);
});

t.test("a batch that has all the hands it may have keeps none from a single pass", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const tenantId = randomUUID();
  for (let i = 0; i < 30; i++) await addJob(store, { tenantId, workClass: "bulk" });
  const begun: string[] = [];
  const released = Promise.withResolvers<Record<string, unknown>>();
  const hold: TaskHandler = (task) => {
    begun.push(task.workClass);
    return released.promise;
  };
  const consumer = createConsumer({
    queue: await openQueue(store),
    handlers: { job: hold, delivery: hold },
    concurrency: 4,
    log: readableLog(),
  });
  const hands = async (): Promise<number> => {
    await consumer.runOnce([0]);
    return consumer.inHand().length;
  };
  // As long as they only wait, a batch gets them all, one look after the other.
  await until("the batch has all of its hands", async () => (await hands()) === 4);
  t.equal(await hands(), 4, "and no more");
  for (let i = 0; i < 6; i++) await addJob(store, { tenantId });
  t.equal(await hands(), 8);
  t.strictSame(begun.slice(4), ["interactive", "interactive", "interactive", "interactive"]);
  released.resolve({});
  await until("nothing is in hand", () => consumer.inHand().length === 0);
});
