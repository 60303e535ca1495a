/** Enough that the network's time does not add up, few enough that Redis answers others in between. */
const atATime = 50;

/** Visits all items, some at a time; the results in their order. Rejects with the first that rejects, and visits no more. */
export async function fewAtATime<Item, Result>(
  items: readonly Item[],
  visit: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let first = 0; first < items.length; first += atATime) {
    results.push(...(await Promise.all(items.slice(first, first + atATime).map(visit))));
  }
  return results;
}
