import type { Test } from "tap";
import { issuePass } from "../support/passes.ts";
import { ask, withoutTrace } from "../support/requests.ts";
import type { Surroundings } from "./surroundings.ts";

const nobodys = "0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10";

export async function otherTenants(t: Test, surroundings: Surroundings) {
  const { client, stranger, strangerTemplate, loyaltyCard } = surroundings;

  t.test("what is another tenant's is not found, just like what is nobody's", async (t) => {
    const theirs = await issuePass(stranger, loyaltyCard({ template_id: strangerTemplate }));
    const routes = [
      ["/api/v1/passes/ID", theirs.json.id],
      ["/api/v1/jobs/ID", theirs.json.job_id],
      ["/api/v1/jobs/ID?wait=20", theirs.json.job_id],
      ["/api/v1/templates/ID", strangerTemplate],
      ["/api/v1/templates/ID/versions/latest", strangerTemplate],
      ["/api/v1/templates/ID/sample", strangerTemplate],
    ] as const;
    for (const [route, id] of routes) {
      t.equal((await stranger.get(route.replace("ID", id))).status, 200, `${route} is there`);
      const [foreign, missing] = await Promise.all(
        [id, nobodys].map((which) => client.get(route.replace("ID", which))),
      );
      t.equal(foreign?.status, 404, route);
      if (foreign && missing) {
        const named = JSON.stringify(withoutTrace(missing)).replaceAll(nobodys, id);
        t.equal(JSON.stringify(withoutTrace(foreign)), named, route);
        t.strictSame(Object.keys(foreign.headers).sort(), Object.keys(missing.headers).sort());
      }
    }
    const found = await client.get(`/api/v1/passes?external_ref=${theirs.json.external_ref}`);
    t.match(found.json, { total: 0, data: [] });
  });

  t.test("no list shows what is another tenant's", async (t) => {
    const { json: mine } = await client.get("/api/v1/passes?page_size=100");
    const { json: theirs } = await stranger.get("/api/v1/passes?page_size=100");
    const ids = new Set(mine.data.map(({ id }: { id: string }) => id));
    t.ok(theirs.data.length > 0);
    t.notOk(theirs.data.some(({ id }: { id: string }) => ids.has(id)));
    const { json: templates } = await client.get("/api/v1/templates?page_size=100");
    t.notOk(templates.data.some(({ id }: { id: string }) => id === strangerTemplate));
  });

  t.test("the page of a pass needs no token, and its address cannot be derived from its id", async (t) => {
    const { json } = await issuePass(stranger, loyaltyCard({ template_id: strangerTemplate }));
    t.equal((await ask(json.page_url)).status, 200);
    for (const other of [json.id, json.id.replaceAll("-", ""), json.external_ref]) {
      const guessed = new URL(`/p/${encodeURIComponent(other)}`, json.page_url);
      t.equal((await ask(guessed)).status, 404);
    }
    const file = await ask(`${json.page_url}/pass.pkpass`);
    t.equal(file.status, 404, "this tenant has no Apple Wallet");
  });
}
