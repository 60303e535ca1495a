import t from "tap";
import { type Asked, startService } from "./fixtures/service.ts";

/** Answers like the API from a list that a test may change between two requests. */
function listed(all: { id: string }[]) {
  return ({ path }: Asked) => {
    const query = new URL(path, "http://x").searchParams;
    const [page, page_size] = [Number(query.get("page") ?? 1), Number(query.get("page_size") ?? 20)];
    const data = all.slice((page - 1) * page_size, page * page_size);
    return { status: 200, body: { data, total: all.length, page, page_size } };
  };
}

const passes = (count: number) => Array.from({ length: count }, (_, n) => ({ id: `pass-${n}` }));

async function everyOne<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

async function idsOf(list: AsyncIterable<{ id: string }>): Promise<string[]> {
  return (await everyOne(list)).map(({ id }) => id);
}

t.test("awaited, a list is the page that was asked for", async (t) => {
  const service = await startService(t, listed(passes(45)));
  const page = await service.client().passes.list({ page: 2, page_size: 10, status: "active" });
  t.match(page, { total: 45, page: 2, page_size: 10 });
  t.strictSame(
    page.data.map(({ id }) => id),
    passes(45)
      .slice(10, 20)
      .map(({ id }) => id),
  );
  t.equal(service.asked.length, 1);
  t.equal(service.asked[0]?.path, "/api/v1/passes?page=2&page_size=10&status=active");
});

t.test("iterated over, it is every item, a request for each page, with the same filters", async (t) => {
  const service = await startService(t, listed(passes(45)));
  const ids = await idsOf(service.client().passes.list({ page_size: 20, external_ref: "a&b=c" }));
  t.strictSame(
    ids,
    passes(45).map(({ id }) => id),
  );
  t.strictSame(
    service.asked.map(({ path }) => path),
    [1, 2, 3].map((page) =>
      page === 1
        ? "/api/v1/passes?page_size=20&external_ref=a%26b%3Dc"
        : `/api/v1/passes?page_size=20&external_ref=a%26b%3Dc&page=${page}`,
    ),
  );
});

t.test("a full last page and an empty list cost no further request", async (t) => {
  for (const [count, requests] of [
    [40, 2],
    [0, 1],
  ] as const) {
    const service = await startService(t, listed(passes(count)));
    t.equal((await idsOf(service.client().passes.list())).length, count);
    t.equal(service.asked.length, requests);
  }
});

t.test("who stops early asks for nothing more", async (t) => {
  const service = await startService(t, listed(passes(100)));
  for await (const pass of service.client().passes.list()) if (pass.id === "pass-3") break;
  t.equal(service.asked.length, 1);
});

t.test("what comes in meanwhile makes no item appear twice", async (t) => {
  const all = passes(6);
  const service = await startService(t, (asked) => {
    const answer = listed(all)(asked);
    all.unshift({ id: `new-${all.length}` });
    return answer;
  });
  const ids = await idsOf(service.client().passes.list({ page_size: 3 }));
  t.strictSame(
    ids,
    passes(6).map(({ id }) => id),
  );
});

t.test("items without an id are told apart by what they are", async (t) => {
  const versions = [3, 2, 1].map((version) => ({ version }));
  const service = await startService(t, listed(versions as unknown as { id: string }[]));
  const found = await everyOne(service.client().passes.listVersions("a", { page_size: 1 }));
  t.strictSame(
    found.map(({ version }) => version),
    [3, 2, 1],
  );
});

t.test("a page that cannot be had ends the iteration with the error", async (t) => {
  const answer = listed(passes(40));
  const service = await startService(t, (asked, count) =>
    count === 1
      ? answer(asked)
      : { status: 403, body: { error: "insufficient_scope", error_description: "no", trace_id: "x" } },
  );
  await t.rejects(idsOf(service.client().passes.list()), { code: "insufficient_scope" });
});

t.test("an abort ends it between two pages", async (t) => {
  const service = await startService(t, listed(passes(40)));
  const controller = new AbortController();
  const seen: string[] = [];
  const read = async () => {
    for await (const { id } of service.client().passes.list({}, { signal: controller.signal })) {
      seen.push(id);
      if (seen.length === 5) controller.abort(new Error("enough"));
    }
  };
  await t.rejects(read(), { message: "enough" });
  t.equal(seen.length, 20);
});
