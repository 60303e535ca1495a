import { setImmediate as turn } from "node:timers/promises";

/**
 * Reads what many ask for in the same turn of the event loop with one call of `readAll`, each key once; its answers are
 * in the order of the keys. Nobody gets what was read before they asked, and nothing is kept.
 */
export function readTogether<Value>(
  readAll: (keys: string[]) => Promise<readonly Value[]>,
): (key: string) => Promise<Value> {
  let asked = new Map<string, PromiseWithResolvers<Value>>();

  async function read(batch: typeof asked): Promise<void> {
    try {
      const values = await readAll([...batch.keys()]);
      for (const [index, { resolve }] of [...batch.values()].entries()) resolve(values[index] as Value);
    } catch (error) {
      for (const { reject } of batch.values()) reject(error);
    }
  }

  return (key) => {
    if (asked.size === 0) {
      void turn().then(() => {
        const batch = asked;
        asked = new Map();
        return read(batch);
      });
    }
    const one = asked.get(key) ?? Promise.withResolvers<Value>();
    asked.set(key, one);
    return one.promise;
  };
}
