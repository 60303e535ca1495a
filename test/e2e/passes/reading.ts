import type { Test } from "tap";
import { finished, issuePass } from "../support/passes.ts";
import { instant, uuidV7 } from "../support/shapes.ts";
import type { Surroundings } from "./surroundings.ts";

const members = [
  "created_at",
  "data",
  "external_ref",
  "id",
  "intent",
  "job_id",
  "page_url",
  "providers",
  "status",
  "template_id",
  "updated_at",
  "version",
];

const jobMembers = [
  "attempts",
  "created_at",
  "error",
  "finished_at",
  "id",
  "progress",
  "resource",
  "started_at",
  "status",
  "type",
];

export async function reading(t: Test, { client, baseUrl, loyaltyCard }: Surroundings) {
  t.test("a pass looks the same when accepted, read, and listed", async (t) => {
    const request = loyaltyCard();
    const accepted = await client.post("/api/v1/passes", request);
    await finished(client, accepted);
    const read = await client.get(`/api/v1/passes/${accepted.json.id}`);
    const list = await client.get(`/api/v1/passes?external_ref=${request.external_ref}`);
    for (const pass of [accepted.json, read.json, list.json.data[0]]) {
      t.strictSame(Object.keys(pass).sort(), members);
      t.match(pass, { id: uuidV7, created_at: instant, updated_at: instant, version: 1 });
      t.match(pass, { template_id: request.template_id, intent: "loyalty_card" });
      t.equal(pass.external_ref, request.external_ref);
      t.strictSame(pass.data, request.data, "what the caller gave, without the template's defaults");
      t.match(pass.page_url, new RegExp(`^${baseUrl}/p/[\\w-]{22,}$`));
      for (const provider of Object.values(pass.providers as Record<string, object>)) {
        const optional = ["save_link", "error"].filter((name) => name in provider);
        t.strictSame(Object.keys(provider).sort(), [...optional, "status", "updated_at"].sort());
      }
    }
    t.strictSame(list.json.data[0], read.json);
    t.equal(accepted.json.status, "pending");
    t.notOk("save_link" in accepted.json.providers.apple, "there is no link before there is a file");
    t.equal(read.json.status, "active");
  });

  t.test("identifiers sort by time", async (t) => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await client.post("/api/v1/passes", loyaltyCard())).json.id);
    t.strictSame([...ids].sort(), ids);
  });

  t.test("the filters of the list", async (t) => {
    const pass = await issuePass(client, loyaltyCard());
    const at = (query: string) => client.get(`/api/v1/passes?${query}`);
    const reference = `external_ref=${pass.json.external_ref}`;
    t.match((await at(reference)).json, { total: 1, data: [{ id: pass.json.id }] });
    t.match((await at(`${reference}&status=active`)).json, { total: 1 });
    t.match((await at(`${reference}&status=failed`)).json, { total: 0, data: [] });
    t.match((await at("external_ref=nobody%27s")).json, { total: 0, data: [] });
    const active = await at("status=active&page_size=100");
    t.ok(active.json.total > 0);
    for (const { status } of active.json.data) t.equal(status, "active");
  });

  t.test("a job tells how far it is, and holds the answer for who wants to wait", async (t) => {
    const accepted = await client.post("/api/v1/passes", loyaltyCard());
    const at = `/api/v1/jobs/${accepted.json.job_id}`;
    const early = await client.get(at);
    t.equal(early.status, 200);
    t.strictSame(Object.keys(early.json).sort(), jobMembers);
    t.strictSame(Object.keys(early.json.progress).sort(), ["done", "total"]);
    t.equal(early.headers["retry-after"], early.json.finished_at === null ? "1" : undefined);

    const done = await client.get(`${at}?wait=20`);
    t.strictSame(Object.keys(done.json).sort(), jobMembers);
    t.match(done.json, { status: "completed", error: null, type: "pass.create" });
    t.strictSame(done.json.resource, { type: "pass", id: accepted.json.id });
    t.equal(done.headers["retry-after"], undefined);
    const { created_at, started_at, finished_at } = done.json;
    t.strictSame([created_at, started_at, finished_at].sort(), [created_at, started_at, finished_at]);
    const same = await client.get(`${at}?wait=0`);
    t.strictSame(same.json, done.json, "what is finished stays as it is");
  });

  t.test("wait is 0 to 20 whole seconds", async (t) => {
    const { json } = await issuePass(client, loyaltyCard());
    for (const wait of ["21", "-1", "1.5", "", "soon", "1e1"]) {
      const reply = await client.get(`/api/v1/jobs/${json.job_id}?wait=${wait}`);
      t.equal(reply.status, 400, wait);
      t.match(reply.json, { error: "invalid_request" });
    }
  });
}
