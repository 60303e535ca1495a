import { randomUUID } from "node:crypto";
import fc from "fast-check";
import t, { type Test } from "tap";
import type { WorkClass } from "../../../src/domain/jobs/work.ts";
import { openStore } from "../../support/store.ts";
import { addJob, openQueue } from "../../support/work.ts";

/** Tenants by a letter each, all of one partition. */
async function opened(t: Test) {
  const store = await openStore(t, { partitions: 1 });
  const queue = await openQueue(store);
  const ids = new Map<string, string>();
  const letters = new Map<string, string>();
  const tenantOf = (letter: string): string => {
    const id = ids.get(letter) ?? randomUUID();
    ids.set(letter, id);
    letters.set(id, letter);
    return id;
  };
  const add = async (text: string, workClass: WorkClass = "interactive"): Promise<void> => {
    for (const letter of text) await addJob(store, { tenantId: tenantOf(letter), workClass });
  };
  const take = async (count: number, passOver: string[] = []): Promise<string> => {
    const tasks = await queue.claim([0], count, { passOver: passOver.map(tenantOf) });
    return tasks.map(({ tenantId }) => letters.get(tenantId)).join("");
  };
  return { store, queue, add, take };
}

const sorted = (text: string): string => [...text].sort().join("");

t.test("a tenant that comes late goes next, however much of another's waits", async (t) => {
  const { add, take } = await opened(t);
  await add("a".repeat(500));
  t.equal(await take(3), "aaa");
  await add("b");
  t.match(await take(2), /b/);
});

t.test("tenants that have much waiting take turns", async (t) => {
  const { add, take } = await opened(t);
  await add("aaaaaaaaaabbbbbcc");
  const turns = [await take(3), await take(3), await take(2)].map(sorted);
  t.strictSame(turns, ["abc", "abc", "ab"]);
  t.equal(sorted(await take(100)), "aaaaaaabb");
});

t.test("who was served much gets no less for it later: turns are not saved up", async (t) => {
  const { add, take } = await opened(t);
  await add("a".repeat(50));
  await take(40);
  await add("bbbb");
  t.equal(sorted(await take(4)), "aabb");
  await take(100);
  await add("aabb");
  t.equal(sorted(await take(2)), "ab", "an empty queue begins afresh");
});

t.test("what a tenant sent comes in the order in which it was sent", async (t) => {
  const { store, queue } = await opened(t);
  const tenantId = randomUUID();
  const sent: string[] = [];
  for (let i = 0; i < 20; i++) sent.push(await addJob(store, { tenantId }));
  const taken = [...(await queue.claim([0], 7)), ...(await queue.claim([0], 100))];
  t.strictSame(
    taken.map(({ id }) => id),
    sent,
  );
});

t.test("tenants that are passed over keep their place, and who is behind them is found", async (t) => {
  const { add, take } = await opened(t);
  await add("a".repeat(30));
  await take(5);
  await add("bb");
  t.equal(await take(2, ["a"]), "bb");
  t.equal(await take(2, ["a"]), "");
  await add("b");
  t.equal(sorted(await take(2)), "aa", "they waited longer");
});

t.test("whoever comes is found, however much of a tenant that is passed over was due before", async (t) => {
  const { add, take } = await opened(t);
  await add("a".repeat(60));
  await take(5);
  for (let round = 1; round <= 50; round++) {
    await add("b");
    t.equal(await take(1, ["a"]), "b", `round ${round}`);
  }
  await add("c");
  t.equal(await take(1, ["a"]), "c", "one that is new");
  await add("b");
  t.equal(await take(1), "a", "its own turn has been due for longest");
});

t.test("whoever was passed over, too, is found when it is no more", async (t) => {
  const { add, take } = await opened(t);
  const serveOthers = async (rounds: number, passOver: string[]) => {
    for (let round = 0; round < rounds; round++) {
      await add("b");
      t.equal(await take(1, passOver), "b");
    }
  };
  await add("a".repeat(90));
  await serveOthers(50, ["a"]);
  await add("dd");
  await serveOthers(30, ["a", "d"]);
  t.equal(await take(1, ["a"]), "d");
  t.equal(await take(1, ["a"]), "d");
  t.equal(await take(1, ["a"]), "");
});

t.test("each class has turns of its own", async (t) => {
  const { add, take } = await opened(t);
  await add("aaaa", "bulk");
  await add("aabb");
  t.equal(sorted(await take(4)), "aabb");
  t.equal(await take(4), "aaaa");
});

t.test("in any mix, nobody who has something waiting is served twice before all others were", async (t) => {
  const { add, take } = await opened(t);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.constantFrom("a", "b", "c", "d"), fc.integer({ min: 1, max: 4 })), {
        maxLength: 40,
      }),
      async (steps) => {
        const waiting = new Map<string, number>();
        // Since a tenant's work came to wait: how often each other tenant was served before it.
        const before = new Map<string, Map<string, number>>();
        const serve = (letter: string): void => {
          for (const [tenant, counts] of before) {
            if (tenant !== letter) counts.set(letter, (counts.get(letter) ?? 0) + 1);
          }
          for (const [other, times] of before.get(letter) ?? []) {
            if (times > 2) throw new Error(`${other} was served ${times} times before ${letter}`);
          }
          const left = (waiting.get(letter) ?? 0) - 1;
          waiting.set(letter, left);
          if (left > 0) before.set(letter, new Map());
          else before.delete(letter);
        };
        for (const step of [...steps, 1000]) {
          if (typeof step === "string") {
            await add(step);
            if (!waiting.get(step)) before.set(step, new Map());
            waiting.set(step, (waiting.get(step) ?? 0) + 1);
          } else {
            for (const letter of await take(step)) serve(letter);
          }
        }
        if ([...waiting.values()].some((left) => left !== 0)) throw new Error("something was never served");
      },
    ),
    { numRuns: 60 },
  );
});
