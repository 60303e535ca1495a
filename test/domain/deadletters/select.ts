import t from "tap";
import { countDeadLetters } from "../../../src/domain/deadletters/count.ts";
import { drain, everything, openDeadLetters } from "../../support/dead-letters.ts";
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
  t.strictSame(await countDeadLetters(dead, { ...everything, limit: 6 }), {
    total: 6,
    by_kind: { job: 6 },
    by_reason: { internal_error: 4, worker_lost: 2 },
    oldest: "1970-01-01T00:16:40.000Z",
    newest: "1970-01-01T00:16:40.005Z",
  });
});

t.test("what a filter leaves is counted as it would be one by one, over many stretches", async (t) => {
  const store = await openStore(t, { partitions: 2 });
  await plant(store, 5000);
  const dead = openDeadLetters(store);
  const stranger = ["r", "tenant:other:1", "l", "apple", "reason", "internal_error"];
  await store.connection.xadd(store.keys.deadLetters(0), "1005000-0", ...stranger);
  const asked = [
    { reason: "worker_lost" },
    { kind: "job" as const },
    { kind: "webhook" as const },
    { tenantId: "tenant" },
    { tenantId: "somebody-else" },
    { sinceMs: 1_000_050, untilMs: 1_004_001 },
    { after: "01-1000001-0", reason: "internal_error" },
    { sinceMs: 2_000_000 },
  ];
  for (const some of asked) {
    const filter = { ...everything, ...some };
    // A limit that nothing reaches makes it read them.
    const read = await countDeadLetters(dead, { ...filter, limit: 1_000_000 });
    t.strictSame(await countDeadLetters(dead, filter), read, JSON.stringify(some));
  }
  t.match(await countDeadLetters(dead, { ...everything, sinceMs: 1_000_010 }), {
    ...{ total: 4990, by_reason: { internal_error: 3327, worker_lost: 1663 } },
    ...{ oldest: "1970-01-01T00:16:40.010Z", newest: "1970-01-01T00:16:44.999Z" },
  });
});

t.test("the numbers of all letters are those that counting them one by one finds", async (t) => {
  const store = await openStore(t, { partitions: 2 });
  const dead = openDeadLetters(store);
  t.strictSame(await countDeadLetters(dead, everything), {
    ...{ total: 0, by_kind: {}, by_reason: {} },
    ...{ oldest: null, newest: null },
  });
  const [one, other] = [openSubscriber(store), openSubscriber(store)];
  for (const subscriber of [one, other]) await subscriber.subscribe();
  await dead.killDelivery(one, [503]);
  await dead.killDelivery(other, [404]);
  await dead.killDelivery(other, [503]);
  await dead.killJob(one.tenantId, "worker_lost");
  const counted = { ...everything, sinceMs: 1 };
  t.strictSame(await countDeadLetters(dead, everything), await countDeadLetters(dead, counted));
  const [first] = await dead.list();
  if (first !== undefined) await dead.deadLetters.purge(first);
  const left = await countDeadLetters(dead, everything);
  t.strictSame(left, await countDeadLetters(dead, counted), "after one has gone, too");
  t.strictSame(left.by_kind, { webhook: 2, job: 1 });
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

t.test(
  "a list goes on behind the letter where another ended, also among those of one millisecond",
  async (t) => {
    const store = await openStore(t, { partitions: 3 });
    const dead = openDeadLetters(store);
    for (const [ms, count] of [
      [5, 0],
      [5, 1],
      [6, 0],
    ]) {
      for (const partition of store.keys.allPartitions) {
        const facts = ["r", "tenant:job:1", "l", "apple", "reason", "internal_error"];
        await store.connection.xadd(store.keys.deadLetters(partition), `${ms}-${count}`, ...facts);
      }
    }
    const all = (await dead.list()).map(({ id }) => id);
    t.equal(all.length, 9);
    const paged: string[] = [];
    for (;;) {
      const page = await dead.list({ limit: 2, after: paged.at(-1) ?? null });
      paged.push(...page.map(({ id }) => id));
      if (page.length === 0) break;
    }
    t.strictSame(paged, all, "nothing twice, nothing left out");
    const ids = [...all].reverse();
    t.strictSame(
      (await dead.list({ ids, after: all[6] ?? "" })).map(({ id }) => id),
      all.slice(7),
    );
    t.strictSame(
      (await dead.list({ ids })).map(({ id }) => id),
      all,
      "ids come in the same order",
    );
    await t.rejects(dead.list({ after: "nonsense" }), { code: "invalid_request" });
  },
);
