import t from "tap";
import { readTogether } from "../../src/redis/read-together.ts";

t.test("what many ask for in one turn is read once", async (t) => {
  const reads: string[] = [];
  const read = readTogether(async (keys) => {
    reads.push(...keys, "once");
    return keys.map((key) => ({ key }));
  });
  const found = await Promise.all(["a", "b", "a", "a"].map(read));
  t.strictSame(reads, ["a", "b", "once"]);
  t.equal(found[0], found[3]);
  t.strictSame(
    found.map(({ key }) => key),
    ["a", "b", "a", "a"],
  );
});

t.test("who asks while it is being read gets what is there then, not what was before", async (t) => {
  let value = "old";
  const answers: (() => void)[] = [];
  const read = readTogether(async () => {
    const now = value;
    await new Promise<void>((resolve) => answers.push(resolve));
    return [now];
  });
  const first = read("a");
  await new Promise((resolve) => setImmediate(resolve));
  t.equal(answers.length, 1, "it is being read");
  value = "new";
  const second = read("a");
  await new Promise((resolve) => setImmediate(resolve));
  for (const answer of answers) answer();
  t.strictSame([await first, await second], ["old", "new"]);
});

t.test("a reading that fails does so for those who asked, and not for the next", async (t) => {
  let failing = true;
  const read = readTogether(async () => {
    if (failing) throw new Error("away");
    return [1];
  });
  const both = await Promise.allSettled([read("a"), read("a")]);
  t.strictSame(
    both.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  failing = false;
  t.equal(await read("a"), 1);
});
