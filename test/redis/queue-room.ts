import { randomUUID } from "node:crypto";
import t, { type Test } from "tap";
import { requireQueueRoom } from "../../src/domain/jobs/queue-room.ts";
import { createQueueRoom } from "../../src/redis/queue-room.ts";
import { openIssuer } from "../support/issuer.ts";
import { openStore } from "../support/store.ts";
import { addJob, claimOf, failed, openQueue, settle } from "../support/work.ts";

const failure = { code: "provider_unavailable", description: "away" };

/** Counted anew for each question. */
const fresh = { ttlMs: 1 };

async function opened(t: Test, limits = { waiting: 20, deadLetters: 3 }) {
  const store = await openStore(t, { partitions: 1 });
  const [busy, other] = [randomUUID(), randomUUID()];
  const add = async (tenantId: string, count: number): Promise<void> => {
    for (let i = 0; i < count; i++) await addJob(store, { tenantId });
  };
  /** A room that has counted nothing yet. */
  const ask = (tenantId: string) => createQueueRoom(store, limits, fresh)(tenantId);
  return { store, busy, other, add, ask };
}

t.test("there is room until so much waits", async (t) => {
  const { busy, other, add, ask } = await opened(t);
  t.equal(await ask(other), "room");
  await add(busy, 10);
  await add(other, 9);
  t.equal(await ask(randomUUID()), "room");
  await add(other, 1);
  t.equal(await ask(randomUUID()), "full");
});

t.test("a tenant that has half of what waits gets the lower half of the room only", async (t) => {
  const { busy, other, add, ask } = await opened(t);
  await add(busy, 9);
  t.equal(await ask(busy), "room");
  await add(busy, 3);
  t.equal(await ask(busy), "share_full");
  t.equal(await ask(other), "room");
});

t.test("what a tenant has put off counts for its share", async (t) => {
  const { store, busy, other, add, ask } = await opened(t);
  const queue = await openQueue(store);
  await add(busy, 12);
  for (const task of await queue.claim([0], 20)) await queue.retryLater(task, failure, 9e12);
  t.equal(await ask(busy), "share_full");
  t.equal(await ask(other), "room");
});

t.test("what others were served while a tenant was passed over takes nothing from its share", async (t) => {
  const { store, busy, other, add, ask } = await opened(t);
  const queue = await openQueue(store);
  await add(busy, 12);
  for (let i = 0; i < 20; i++) {
    await add(other, 1);
    t.equal((await queue.claim([0], 1, { passOver: [busy] })).length, 1);
  }
  t.equal(await ask(busy), "share_full");
  t.equal(await ask(other), "room");
});

t.test("what is in hand needs no room, and what is put off does", async (t) => {
  const { store, other, add, ask } = await opened(t);
  const queue = await openQueue(store);
  for (let i = 0; i < 20; i++) await add(randomUUID(), 1);
  t.equal(await ask(other), "full");
  const tasks = await queue.claim([0], 20);
  t.equal(await ask(other), "room");
  for (const task of tasks) await queue.retryLater(task, failure, 9e12);
  t.equal(await ask(other), "full");
});

t.test(
  "dead letters end it for those whose they are, and when there are twice as many for everybody",
  async (t) => {
    const { store, busy, other, ask } = await opened(t, { waiting: 1000, deadLetters: 10 });
    const queue = await openQueue(store);
    const issuer = await openIssuer(store, { wallets: ["apple"] });
    const bury = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) await issuer.create();
      for (const task of await claimOf(queue, issuer)) {
        await settle(store, task, failed("provider_unavailable", { bury: true }));
      }
    };
    await bury(9);
    t.equal(await ask(issuer.tenantId), "room");
    await bury(1);
    t.equal(await ask(issuer.tenantId), "dead_letters_full");
    t.equal(await ask(other), "room", "who has none is not locked out");
    await bury(10);
    t.equal(await ask(busy), "dead_letters_full");
  },
);

t.test("who is refused is told why, and when to try again", async (t) => {
  const refusal = (answer: "full" | "share_full" | "dead_letters_full") =>
    requireQueueRoom(async () => answer, randomUUID());
  await t.rejects(refusal("full"), { code: "unavailable", retryAfterSeconds: 10 });
  await t.rejects(refusal("share_full"), { code: "unavailable", detail: /your work/ });
  await t.rejects(refusal("dead_letters_full"), { code: "unavailable", retryAfterSeconds: 60 });
  await requireQueueRoom(async () => "room", randomUUID());
});

t.test("without Redis there is no answer, and none is made up", async (t) => {
  const store = await openStore(t);
  const parts = await store.another();
  const room = createQueueRoom(parts, { waiting: 1, deadLetters: 1 });
  parts.connection.disconnect();
  await t.rejects(room(randomUUID()), { code: "unavailable" });
});
