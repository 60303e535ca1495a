import type { Test } from "tap";
import { patch, put, remove } from "../support/changes.ts";
import { googleObject } from "../support/google-faults.ts";
import { judgeAccepted, judgeError, judgePass } from "../support/judgements.ts";
import { finished, issuePass } from "../support/passes.ts";
import { ask } from "../support/requests.ts";
import type { Surroundings } from "./surroundings.ts";

export async function revocations(t: Test, { service, client, stranger, loyaltyCard }: Surroundings) {
  t.test("202 with revoking, then revoked in every wallet, page and file gone", async (t) => {
    const pass = await issuePass(client, loyaltyCard());
    const at = `/api/v1/passes/${pass.json.id}`;
    const file = pass.json.providers.apple.save_link;
    for (const url of [pass.json.page_url, file]) t.equal((await ask(url)).status, 200, url);

    const reply = await remove(client, at);
    judgeAccepted(t, reply);
    judgePass(t, reply.json);
    t.match(reply.json, { id: pass.json.id, status: "revoking", version: 1 });
    t.not(reply.json.job_id, pass.json.job_id);
    const job = await finished(client, reply);
    t.match(job.json, { type: "pass.revoke", status: "completed" });
    t.strictSame(job.json.resource, { type: "pass", id: pass.json.id });

    const read = await client.get(at);
    judgePass(t, read.json);
    t.equal(read.json.status, "revoked");
    for (const wallet of ["apple", "google"]) t.equal(read.json.providers[wallet].status, "revoked", wallet);
    t.not((await googleObject(service, pass.json.id)).resource.state, "ACTIVE");
    for (const url of [pass.json.page_url, file]) t.equal((await ask(url)).status, 410, url);
    t.match(await client.get(`/api/v1/passes?status=revoked&external_ref=${pass.json.external_ref}`), {
      json: { total: 1, data: [{ id: pass.json.id }] },
    });
    const versions = await client.get(`${at}/versions`);
    t.equal(versions.json.total, 1, "a revocation makes no version");
  });

  t.test("nothing brings it back, from the first moment on: all of it is 409", async (t) => {
    const request = loyaltyCard();
    const pass = await issuePass(client, request);
    const at = `/api/v1/passes/${pass.json.id}`;
    const byReference = `/api/v1/passes/by-external-ref/${request.external_ref}`;
    const revoking = await remove(client, at);
    for (const moment of ["revoking", "revoked"]) {
      if (moment === "revoked") await finished(client, revoking);
      judgeError(t, await remove(client, at), 409, "invalid_state", `DELETE, ${moment}`);
      judgeError(t, await patch(client, at, { data: {} }), 409, "invalid_state", `PATCH, ${moment}`);
      judgeError(t, await patch(client, byReference, { data: {} }), 409, "invalid_state", `PATCH, ${moment}`);
      judgeError(t, await put(client, byReference, request), 409, "invalid_state", `PUT, ${moment}`);
      const message = { pass_id: pass.json.id, header: "Hello", body: "there" };
      judgeError(t, await client.post("/api/v1/messages", message), 409, "invalid_state", moment);
      judgeError(t, await client.post("/api/v1/passes", request), 409, "duplicate_external_ref", moment);
    }
    t.match((await client.get(at)).json, { status: "revoked", version: 1 });
  });

  t.test("a faulty body is told of before the state", async (t) => {
    const request = loyaltyCard();
    const pass = await issuePass(client, request);
    await finished(client, await remove(client, `/api/v1/passes/${pass.json.id}`));
    const at = `/api/v1/passes/by-external-ref/${request.external_ref}`;
    judgeError(t, await patch(client, at, {}), 400, "invalid_request");
    judgeError(t, await put(client, at, { ...request, data: 1 }), 400, "invalid_request");
  });

  t.test("a pass may be revoked before it is in any wallet, or while it is being updated", async (t) => {
    for (const isUpdating of [false, true]) {
      const created = await client.post("/api/v1/passes", loyaltyCard());
      const at = `/api/v1/passes/${created.json.id}`;
      const others = [created];
      if (isUpdating) others.push(await patch(client, at, { data: { points: "99" } }));
      const revoked = await remove(client, at);
      t.match(revoked, { status: 202, json: { status: "revoking" } }, revoked.text);
      t.equal((await finished(client, revoked)).json.status, "completed");
      for (const other of others) t.ok((await finished(client, other)).json.finished_at, "no job is left");
      const read = await client.get(at);
      t.equal(read.json.status, "revoked");
      t.equal((await ask(read.json.page_url)).status, 410);
    }
  });

  t.test("of many at one moment one is accepted", async (t) => {
    const pass = await issuePass(client, loyaltyCard());
    const all = Array.from({ length: 10 }, () => remove(client, `/api/v1/passes/${pass.json.id}`));
    const statuses = (await Promise.all(all)).map(({ status }) => status).sort();
    t.strictSame(statuses, [202, ...Array(9).fill(409)]);
  });

  t.test("what is not there, or another's, is 404", async (t) => {
    const pass = await issuePass(client, loyaltyCard());
    judgeError(t, await remove(client, `/api/v1/passes/${crypto.randomUUID()}`), 404, "not_found");
    judgeError(t, await remove(client, "/api/v1/passes/1"), 404, "not_found");
    judgeError(t, await remove(stranger, `/api/v1/passes/${pass.json.id}`), 404, "not_found");
    t.equal((await client.get(`/api/v1/passes/${pass.json.id}`)).json.status, "active");
  });
}
