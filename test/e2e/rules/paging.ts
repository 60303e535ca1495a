import type { Test } from "tap";
import type { Surroundings } from "../passes/surroundings.ts";
import type { Client } from "../support/client.ts";

const lists = ["/api/v1/passes", "/api/v1/templates"];

const idsOf = ({ json }: { json: { data: { id: string }[] } }): string[] => json.data.map(({ id }) => id);

export async function paging(t: Test, { client, stranger, strangerTemplate, loyaltyCard }: Surroundings) {
  t.test("page and page_size have bounds, and both are named when both are wrong", async (t) => {
    const wrong = ["0", "-1", "1.5", "", "abc", "1e1", "1 OR 1", " 1", "0x1", "NaN", "99999999999999999999"];
    for (const list of lists) {
      for (const value of wrong) {
        const query = encodeURIComponent(value);
        for (const name of ["page", "page_size"]) {
          const reply = await client.get(`${list}?${name}=${query}`);
          t.equal(reply.status, 400, `${list}?${name}=${value}`);
          t.match(reply.json, { error: "invalid_request" });
          t.equal(reply.json.details?.length, 1, "one violation");
          t.match(JSON.stringify(reply.json.details), new RegExp(`\\b${name}\\b`), "by its name");
        }
      }
      t.equal((await client.get(`${list}?page_size=101`)).status, 400);
      const both = await client.get(`${list}?page=0&page_size=0`);
      t.equal(both.json.details?.length, 2);
    }
  });

  t.test("the first page of twenty comes unasked; unknown parameters are ignored", async (t) => {
    for (const list of lists) {
      const reply = await client.get(list);
      t.strictSame(Object.keys(reply.json).sort(), ["data", "page", "page_size", "total"]);
      t.match(reply.json, { page: 1, page_size: 20, total: Number, data: Array });
      const same = await client.get(`${list}?colour=blue&Page=7&sort=asc&__proto__=x`);
      t.equal(same.status, 200);
      // The same ones in the same order; wallets may have taken some of them meanwhile.
      t.strictSame(idsOf(same), idsOf(reply));
      t.match((await client.get(`${list}?page=1&page_size=100`)).json, { page_size: 100 });
      const beyond = await client.get(`${list}?page=1000000&page_size=7`);
      t.equal(beyond.status, 200);
      t.match(beyond.json, { data: [], total: reply.json.total, page: 1_000_000, page_size: 7 });
    }
  });

  t.test("an unknown value of a known filter is refused", async (t) => {
    const wrong = [
      "/api/v1/passes?status=nope",
      "/api/v1/passes?status=Active",
      "/api/v1/passes?status=active,pending",
      "/api/v1/templates?status=nope",
      "/api/v1/templates?template_type=nope",
      "/api/v1/templates?template_type=loyalty_card",
    ];
    for (const path of wrong) {
      const reply = await client.get(path);
      t.equal(reply.status, 400, path);
      t.match(reply.json, { error: "invalid_request" });
    }
    const statuses = ["pending", "partial", "active", "updating", "revoking", "revoked", "failed"];
    for (const status of statuses)
      t.equal((await client.get(`/api/v1/passes?status=${status}`)).status, 200, status);
  });

  t.test("pages are newest first and hold each pass once", async (t) => {
    // The other tenant has no pass yet, so that this is all of its list.
    const created: string[] = [];
    for (let n = 0; n < 5; n++) {
      const reply = await stranger.post("/api/v1/passes", loyaltyCard({ template_id: strangerTemplate }));
      t.equal(reply.status, 202, reply.text);
      created.unshift(reply.json.id);
    }
    const pages = await Promise.all([1, 2, 3, 4].map((page) => pageOf(stranger, page)));
    t.strictSame(
      pages.flatMap(({ data }) => data.map(({ id }) => id)),
      created,
    );
    t.strictSame(
      pages.map(({ data, total, page }) => [data.length, total, page]),
      [
        [2, 5, 1],
        [2, 5, 2],
        [1, 5, 3],
        [0, 5, 4],
      ],
    );
  });
}

type Page = { data: { id: string }[]; total: number; page: number };

async function pageOf(client: Client, page: number): Promise<Page> {
  return (await client.get(`/api/v1/passes?page=${page}&page_size=2`)).json;
}
