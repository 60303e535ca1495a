import { gatherAtTurnEnd } from "./turn-end.ts";

/**
 * Does in one go what many ask for in the same turn of the event loop; `doAll` answers in the order of the items, at most
 * `most` of them at a time.
 */
export function doTogether<Item, Result>(
  doAll: (items: readonly Item[]) => Promise<readonly Result[]>,
  { most }: { most: number },
): (item: Item) => Promise<Result> {
  type Asked = { item: Item; resolve(result: Result): void; reject(error: unknown): void };
  let asked: Asked[] = [];

  async function answer(batch: readonly Asked[]): Promise<void> {
    try {
      const results = await doAll(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  function answerAll(): void {
    const all = asked;
    asked = [];
    for (let i = 0; i < all.length; i += most) void answer(all.slice(i, i + most));
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (asked.length === 0) gatherAtTurnEnd(answerAll);
      asked.push({ item, resolve, reject });
    });
}
