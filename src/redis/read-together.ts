import { doTogether } from "./do-together.ts";

/**
 * Reads what many ask for in the same turn of the event loop with one call of `readAll`, each key once; its answers are
 * in the order of the keys. Nobody gets what was read before they asked, and nothing is kept.
 */
export function readTogether<Value>(
  readAll: (keys: string[]) => Promise<readonly Value[]>,
): (key: string) => Promise<Value> {
  return doTogether(
    async (keys: readonly string[]) => {
      const each = [...new Set(keys)];
      const values = await readAll(each);
      const found = new Map(each.map((key, index) => [key, values[index] as Value]));
      return keys.map((key) => found.get(key) as Value);
    },
    { most: Number.POSITIVE_INFINITY },
  );
}
