import t from "tap";
import { countDeadLetters } from "../../../src/domain/deadletters/count.ts";
import { replayDeadLetters } from "../../../src/domain/deadletters/replay.ts";
import { drain, openDeadLetters } from "../../support/dead-letters.ts";
import { openStore, type TestStore } from "../../support/store.ts";
import { openSubscriber } from "../../support/webhooks.ts";

/** Letters at instants of our choice, alternating over the partitions. Answers the instants. */
async function plant(store: TestStore, count: number): Promise<number[]> {
  const { connection, keys } = store;
  const instants = Array.from({ length: count }, (_, index) => 1_000_000 + index);
  const pipeline = connection.pipeline();
  for (const ms of instants) {
    const partition = ms % keys.partitions;
    const facts = [
      "r",
      `tenant:job:${ms}`,
      "l",
      "apple",
      "reason",
      ms % 3 === 0 ? "worker_lost" : "internal_error",
    ];
    pipeline.xadd(keys.deadLetters(partition), `${ms}-0`, ...facts);
  }
  await pipeline.exec();
  return instants;
}

t.test("every letter of every partition is reached, oldest first, over many stretches", async (t) => {
  const store = await openStore(t, { partitions: 3 });
  const instants = await plant(store, 700);
  const dead = openDeadLetters(store);
  t.strictSame(
    (await dead.list()).map(({ deadAtMs }) => deadAtMs),
    instants,
  );
  const some = await dead.list({ sinceMs: 1_000_050, untilMs: 1_000_400 });
  t.strictSame(
    some.map(({ deadAtMs }) => deadAtMs),
    instants.slice(50, 401),
  );
  t.equal((await dead.list({ limit: 5 })).at(-1)?.deadAtMs, 1_000_004);
  t.strictSame(await countDeadLetters(await dead.select({ limit: 6 })), {
    total: 6,
    by_kind: { job: 6 },
    by_reason: { internal_error: 4, worker_lost: 2 },
    oldest: "1970-01-01T00:16:40.000Z",
    newest: "1970-01-01T00:16:40.005Z",
  });
});

t.test("letters are found by tenant, kind, endpoint, reason and id", async (t) => {
  const store = await openStore(t, { partitions: 2 });
  const dead = openDeadLetters(store);
  const [mine, other] = [openSubscriber(store), openSubscriber(store)];
  const webhook = await mine.subscribe();
  await mine.subscribe();
  await other.subscribe();
  await dead.killDelivery(mine, [503]);
  await dead.killDelivery(other, [404]);
  const job = await dead.killJob(mine.tenantId);

  t.equal((await dead.list()).length, 4);
  t.equal((await dead.list({ tenantId: mine.tenantId })).length, 3);
  t.equal((await dead.list({ tenantId: store.ids.uuid() })).length, 0);
  t.match(await dead.list({ kind: "job" }), [{ recordId: job, kind: "job", reason: "provider_unavailable" }]);
  t.match(await dead.list({ endpoint: webhook.id }), [{ facts: { endpoint: webhook.id } }]);
  const found = await dead.list({ reason: "http_404" });
  t.match(found, [{ tenantId: other.tenantId, kind: "webhook" }]);
  t.equal(found.length, 1);

  const ids = found.map(({ id }) => id);
  t.strictSame(await dead.list({ ids: [...ids, ...ids, "00-5-0", "99-5-0"] }), found);
  t.strictSame(await dead.list({ ids, tenantId: mine.tenantId }), [], "a filter holds for ids as well");
  await t.rejects(dead.list({ ids: ["nonsense"] }), { code: "invalid_request" });
});

t.test("a letter that comes after the selection was made is no part of it", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const dead = openDeadLetters(store);
  const tenantId = store.ids.uuid();
  await dead.killJob(tenantId);
  const selection = await dead.select();
  await dead.killJob(tenantId);
  t.equal((await drain(selection.letters())).length, 1);
  t.equal((await dead.list()).length, 2);
});

t.test("a replay keeps to its rate, counts what became of each, and goes on when given again", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const dead = openDeadLetters(store);
  const subscriber = openSubscriber(store);
  await subscriber.subscribe();
  for (let count = 0; count < 3; count += 1) await dead.killDelivery(subscriber);
  const [gone] = await dead.list();
  await store.connection.del(store.keys.record(subscriber.tenantId, "delivery", gone?.recordId ?? ""));

  const pauses: number[] = [];
  const pause = async (ms: number) => {
    pauses.push(ms);
    store.clock.forward(ms);
  };
  const deps = { deadLetters: dead.deadLetters, clock: store.clock, pause };
  const options = { rate: 4, onProgress: () => {} };
  const first = await replayDeadLetters(deps, await dead.select(), options);
  t.match(first, { replayed: 2, refused: { record_gone: 1 }, refused_ids: [{ id: gone?.id }] });
  t.strictSame(pauses, [250, 250]);
  t.equal((await subscriber.take()).length, 2);
  const second = await replayDeadLetters(deps, await dead.select(), options);
  t.match(second, { replayed: 0, refused: { record_gone: 1 } });
  t.strictSame(await subscriber.take(), []);
});
