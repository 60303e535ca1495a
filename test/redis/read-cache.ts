import t from "tap";
import { readCache } from "../../src/redis/read-cache.ts";

/** A cache over values that are as long as their key says, and the keys that were read. */
function opened(limits: { entries: number; bytes?: number }) {
  const read: string[] = [];
  const cache = readCache(
    async (key) => {
      read.push(key);
      return { bytes: Number(key.split(" ")[0]) };
    },
    {
      entries: limits.entries,
      ttlMs: Number.POSITIVE_INFINITY,
      ...(limits.bytes !== undefined && {
        bytes: { most: limits.bytes, of: ({ bytes }: { bytes: number }) => bytes },
      }),
    },
  );
  return { cache, read };
}

t.test("what was read is not read again, and many who want the same wait for one reading", async (t) => {
  const { cache, read } = opened({ entries: 10 });
  await Promise.all([cache.get("1 a"), cache.get("1 a"), cache.get("1 b")]);
  await cache.get("1 a");
  t.strictSame(read, ["1 a", "1 b"]);
  cache.forget("1 a");
  await cache.get("1 a");
  t.strictSame(read, ["1 a", "1 b", "1 a"]);
});

t.test("few large values take the room of many small ones", async (t) => {
  const { cache, read } = opened({ entries: 10, bytes: 100 });
  for (const key of ["60 a", "30 b", "50 c", "30 b", "60 a", "101 d", "101 d"]) await cache.get(key);
  t.strictSame(read, ["60 a", "30 b", "50 c", "60 a", "101 d", "101 d"], "the first made room for the third");
});
