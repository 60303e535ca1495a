import t from "tap";
import { everyPage } from "../../../src/domain/exports/every-page.ts";
import type { PageRequest } from "../../../src/domain/page.ts";

t.test(
  "what comes while pages are read moves the rest down: nothing is shown twice, and nothing is missed",
  async (t) => {
    const all = Array.from({ length: 1300 }, (_, i) => i);
    let newest = -1;
    const list = async ({ page, pageSize }: PageRequest) => {
      const items = all.slice((page - 1) * pageSize, page * pageSize);
      for (let i = 0; i < 3; i += 1) all.unshift(newest--);
      return { items, total: all.length };
    };
    const seen: number[] = [];
    for await (const item of everyPage(list, String)) seen.push(item);
    t.strictSame(
      seen,
      Array.from({ length: 1300 }, (_, i) => i),
    );
  },
);

t.test("of an empty list there is one look", async (t) => {
  let looks = 0;
  const list = async () => {
    looks += 1;
    return { items: [], total: 0 };
  };
  for await (const item of everyPage(list, String)) t.fail(String(item));
  t.equal(looks, 1);
});
