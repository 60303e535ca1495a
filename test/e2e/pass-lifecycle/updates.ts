import type { Test } from "tap";
import { patch } from "../support/changes.ts";
import { judgeAccepted, judgeError, judgeFaults, judgePass } from "../support/judgements.ts";
import { finished, issuePass, newReference } from "../support/passes.ts";
import type { Reply } from "../support/requests.ts";
import type { Surroundings } from "./surroundings.ts";

const nobody = "01890000-0000-7000-8000-000000000000";

export async function updates(t: Test, { client, stranger, loyaltyCard }: Surroundings) {
  const byId = ({ json }: Reply) => `/api/v1/passes/${json.id}`;
  const byReference = ({ json }: Reply) =>
    `/api/v1/passes/by-external-ref/${encodeURIComponent(json.external_ref)}`;

  for (const [way, pathOf] of Object.entries({ byId, byReference })) {
    t.test(`${way}: 202 with the next version, merged key by key, and active again in the end`, async (t) => {
      const external_ref = `${newReference()} größe&co`;
      const pass = await issuePass(client, loyaltyCard({ external_ref }));
      const reply = await patch(client, pathOf(pass), { data: { points: "13", tier: "Wren" } });
      judgeAccepted(t, reply);
      judgePass(t, reply.json);
      t.equal(reply.json.status, "updating");
      t.equal(reply.json.version, 2);
      t.strictSame(reply.json.data, { member: "Ada Lovelace", points: "13", tier: "Wren" });
      t.not(reply.json.job_id, pass.json.job_id);
      for (const same of ["id", "external_ref", "template_id", "intent", "page_url", "created_at"]) {
        t.equal(reply.json[same], pass.json[same], same);
      }
      t.ok(reply.json.updated_at >= pass.json.updated_at);

      const job = await finished(client, reply);
      t.match(job.json, { type: "pass.update", status: "completed" });
      t.strictSame(job.json.resource, { type: "pass", id: pass.json.id });
      const read = await client.get(byId(pass));
      judgePass(t, read.json);
      t.equal(read.json.status, "active");
      t.equal(read.json.job_id, reply.json.job_id);
      t.strictSame(read.json.data, reply.json.data);
    });

    t.test(`${way}: null removes a key, unless it is a required one`, async (t) => {
      const pass = await issuePass(client, loyaltyCard());
      const reply = await patch(client, pathOf(pass), { data: { points: null } });
      t.equal(reply.status, 202, reply.text);
      t.strictSame(reply.json.data, { member: "Ada Lovelace" });
      t.equal((await patch(client, pathOf(pass), { data: { tier: null } })).status, 202, "not there at all");
      const required = await patch(client, pathOf(pass), { data: { member: null, points: "1" } });
      judgeFaults(t, required, ["/data/member"]);
      const read = await client.get(byId(pass));
      t.equal(read.json.version, 3, "a refusal makes no version");
      t.strictSame(read.json.data, { member: "Ada Lovelace" });
    });

    t.test(`${way}: what the body may not be, each fault by its name`, async (t) => {
      const pass = await issuePass(client, loyaltyCard());
      const tooMany = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`k${n}`, "x"]));
      const cases: [body: unknown, ...paths: string[]][] = [
        [{ data: { nope: "x" } }, "/data/nope"],
        [{ data: { member_number: "x" } }, "/data/member_number"],
        [{ data: { nope: "x", pass_number: "y" } }, "/data/nope", "/data/pass_number"],
        [{ data: { points: 13 } }, "/data/points"],
        [{ data: { points: ["13"], tier: {} } }, "/data/points", "/data/tier"],
        [{ data: { next_reward: "x".repeat(4097) } }, "/data/next_reward"],
        [{ data: tooMany }, "/data"],
        [{ data: null }, "/data"],
        [{ data: [] }, "/data"],
        [{ data: "points=13" }, "/data"],
        [{}, "/data"],
        [{ data: {}, external_ref: "x" }, "/external_ref"],
        [{ points: "13" }, "/data", "/points"],
      ];
      for (const [body, ...paths] of cases) {
        judgeFaults(t, await patch(client, pathOf(pass), body), paths, JSON.stringify(body).slice(0, 60));
      }
      for (const body of ["[]", '"x"', "null", "{", ""]) {
        const headers = { "content-type": "application/json" };
        const reply = await client.ask(pathOf(pass), { method: "PATCH", body, headers });
        judgeError(t, reply, 400, "invalid_request", body);
      }
      t.equal((await client.get(byId(pass))).json.version, 1);
    });

    t.test(
      `${way}: an update that changes nothing, or has no data, makes a version all the same`,
      async (t) => {
        const pass = await issuePass(client, loyaltyCard());
        const empty = await patch(client, pathOf(pass), { data: {} });
        t.equal(empty.status, 202, empty.text);
        t.equal(empty.json.version, 2);
        const same = await patch(client, pathOf(pass), { data: { points: "12" } });
        t.equal(same.status, 202, same.text);
        t.equal(same.json.version, 3);
        t.strictSame(same.json.data, pass.json.data);
      },
    );

    t.test(`${way}: another tenant's pass is not there`, async (t) => {
      const pass = await issuePass(client, loyaltyCard());
      judgeError(t, await patch(stranger, pathOf(pass), { data: {} }), 404, "not_found");
      t.equal((await client.get(byId(pass))).json.version, 1);
    });
  }

  t.test("a pass that is not there is 404, and is never made", async (t) => {
    const reference = newReference();
    const at = `/api/v1/passes/by-external-ref/${reference}`;
    judgeError(t, await patch(client, at, { data: { member: "Ada" } }), 404, "not_found");
    t.equal((await client.get(`/api/v1/passes?external_ref=${reference}`)).json.total, 0);
    judgeError(t, await patch(client, `/api/v1/passes/${nobody}`, { data: {} }), 404, "not_found");
  });

  t.test(
    "an id that is none is 404, before the body is looked at; a faulty body comes before a missing pass",
    async (t) => {
      judgeError(t, await patch(client, "/api/v1/passes/42", {}), 404, "not_found");
      judgeFaults(t, await patch(client, `/api/v1/passes/${nobody}`, {}), ["/data"]);
      judgeFaults(t, await patch(client, `/api/v1/passes/by-external-ref/${newReference()}`, {}), ["/data"]);
    },
  );

  t.test("an update takes no credit", async (t) => {
    const pass = await issuePass(stranger, loyaltyCard());
    for (let n = 0; n < 120; n += 40) {
      const some = Array.from({ length: 40 }, (_, k) =>
        patch(stranger, byId(pass), { data: { points: `${n + k}` } }),
      );
      for (const { status, text } of await Promise.all(some)) t.equal(status, 202, text);
    }
    t.equal((await stranger.post("/api/v1/passes", loyaltyCard())).status, 202, "it had a hundred credits");
  });
}
