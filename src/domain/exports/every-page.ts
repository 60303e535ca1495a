import type { Page, PageRequest } from "../page.ts";

const pageSize = 500;

/**
 * Everything of a list that is read by pages, the newest first. What comes meanwhile moves the rest down: what a page
 * shows again is passed over, and nothing is missed.
 */
export async function* everyPage<Item>(
  list: (page: PageRequest) => Promise<Page<Item>>,
  idOf: (item: Item) => string,
): AsyncGenerator<Item> {
  let before = new Set<string>();
  for (let page = 1; ; page += 1) {
    const { items, total } = await list({ page, pageSize });
    const shown = new Set<string>();
    for (const item of items) {
      const id = idOf(item);
      shown.add(id);
      if (!before.has(id)) yield item;
    }
    before = shown;
    if (page * pageSize >= total) return;
  }
}
