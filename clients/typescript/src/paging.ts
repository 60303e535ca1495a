import type { Call, CallOptions, Send } from "./call.ts";

/** A page of a list, as every list of the API answers. */
export type Page<Item> = { data: Item[]; total: number; page: number; page_size: number };

/** A list: awaited it is the page that was asked for; iterated over it is every item from that page on. */
export type List<Item> = Promise<Page<Item>> & AsyncIterable<Item>;

export type PageQuery = {
  /** Which page, counted from 1. Without it: 1. */
  page?: number | undefined;
  /** How many entries a page has at most, 1 to 100. Without it: 20. */
  page_size?: number | undefined;
};

/** Carries out a call that reads a list. The first page is asked for at once, the others as they are needed. */
export function listOf<Item>(send: Send, call: Call, options: CallOptions): List<Item> {
  const first = send<Page<Item>>(call, options);
  const read = (page: number) => send<Page<Item>>({ ...call, query: { ...call.query, page } }, options);
  return Object.assign(first, { [Symbol.asyncIterator]: () => itemsFrom(first, read) });
}

async function* itemsFrom<Item>(
  first: Promise<Page<Item>>,
  read: (page: number) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let page = await first;
  let before = new Set<string>();
  for (;;) {
    // Lists begin with the newest: while they are read, what comes in pushes the end of a page onto the next one.
    const names = page.data.map(nameOf);
    for (const [index, item] of page.data.entries()) {
      if (!before.has(names[index] ?? "")) yield item;
    }
    if (page.data.length === 0 || page.page * page.page_size >= page.total) return;
    before = new Set(names);
    page = await read(page.page + 1);
  }
}

/** Tells an item from others; versions have no id, and never change. */
function nameOf(item: unknown): string {
  const { id } = item as { id?: unknown };
  return typeof id === "string" ? id : JSON.stringify(item);
}
