import t from "tap";
import { doTogether } from "../../src/redis/do-together.ts";

t.test("what many ask for in one turn is done in one go, in the order in which they asked", async (t) => {
  const done: number[][] = [];
  const square = doTogether(
    async (items: readonly number[]) => {
      done.push([...items]);
      return items.map((item) => item * item);
    },
    { most: 3 },
  );
  t.strictSame(await Promise.all([1, 2, 3, 4].map(square)), [1, 4, 9, 16]);
  t.strictSame(done, [[1, 2, 3], [4]], "so many at a time");
  t.equal(await square(5), 25, "and who asks later does not wait for others");
});

t.test("a failure is that of all who are in it, and of nobody else", async (t) => {
  const even = doTogether(
    async (items: readonly number[]) => {
      if (items.some((item) => item % 2 === 1)) throw new Error("odd");
      return items;
    },
    { most: 2 },
  );
  const outcomes = await Promise.allSettled([2, 4, 6, 7].map(even));
  t.strictSame(
    outcomes.map(({ status }) => status),
    ["fulfilled", "fulfilled", "rejected", "rejected"],
  );
});
