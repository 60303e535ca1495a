import type { Test } from "tap";
import { patch, remove } from "../support/changes.ts";
import { addFault, endFaults, googleObject } from "../support/google-faults.ts";
import { judgeError, judgeFaults, judgeJob } from "../support/judgements.ts";
import { finished, issuePass } from "../support/passes.ts";
import type { Reply } from "../support/requests.ts";
import type { Surroundings } from "./surroundings.ts";

export async function jobs(t: Test, { service, client, stranger, loyaltyCard }: Surroundings) {
  t.test("every kind of work has a job of its shape, which names what it is about", async (t) => {
    const created = await client.post("/api/v1/passes", loyaltyCard());
    await finished(client, created);
    const at = `/api/v1/passes/${created.json.id}`;
    const updated = await patch(client, at, { data: {} });
    await finished(client, updated);
    const pass_id = created.json.id;
    const message = await client.post("/api/v1/messages", { pass_id, header: "Hello", body: "there" });
    await finished(client, message);
    const operations = [{ type: "update", pass_id, data: {} }];
    const batch = await client.post("/api/v1/batches", { operations });
    await finished(client, batch);
    const revoked = await remove(client, at);
    const expected: [type: string, accepted: Reply, resource: string][] = [
      ["pass.create", created, "pass"],
      ["pass.update", updated, "pass"],
      ["message.send", message, "message"],
      ["batch.process", batch, "batch"],
      ["pass.revoke", revoked, "pass"],
    ];
    for (const [type, accepted, resource] of expected) {
      const job = await finished(client, accepted);
      judgeJob(t, job.json);
      t.match(job.json, { type, status: "completed", error: null, id: accepted.json.job_id });
      t.strictSame(job.json.resource, { type: resource, id: accepted.json.id });
      t.equal(job.json.progress.done, job.json.progress.total, type);
      t.ok(job.json.attempts >= 1, type);
      t.equal(job.headers["retry-after"], undefined);
      judgeError(t, await stranger.get(`/api/v1/jobs/${job.json.id}`), 404, "not_found");
    }
  });

  t.test("until it is finished, it says when to ask again, and wait holds the answer", async (t) => {
    const { json } = await issuePass(client, loyaltyCard());
    const { type, issuerId } = await googleObject(service, json.id);
    await addFault(service, { delay_ms: 2500, times: 1, resource_prefix: `${type}/${issuerId}.` });
    const accepted = await client.post("/api/v1/passes", loyaltyCard());
    const at = `/api/v1/jobs/${accepted.json.job_id}`;
    for (const query of ["", "?wait=0", "?wait=1"]) {
      const early = await client.get(`${at}${query}`);
      judgeJob(t, early.json);
      t.equal(early.json.finished_at, null, query);
      t.equal(early.headers["retry-after"], "1", query);
    }
    const late = await client.get(`${at}?wait=20`);
    judgeJob(t, late.json);
    t.equal(late.json.status, "completed");
    t.equal(late.headers["retry-after"], undefined);
    await endFaults(service);
  });

  t.test("wait is a number of seconds up to twenty", async (t) => {
    const { json } = await issuePass(client, loyaltyCard());
    for (const wait of ["21", "-1", "x", "", "1.5"]) {
      judgeFaults(t, await client.get(`/api/v1/jobs/${json.job_id}?wait=${wait}`), ["wait"], wait);
    }
    judgeFaults(t, await client.get(`/api/v1/jobs/${crypto.randomUUID()}?wait=21`), ["wait"]);
  });

  t.test("a job that is not there is 404 at once", async (t) => {
    for (const id of [crypto.randomUUID(), "1", "1?wait=21"]) {
      judgeError(t, await client.get(`/api/v1/jobs/${id}`), 404, "not_found", id);
    }
    judgeError(t, await client.get(`/api/v1/jobs/${crypto.randomUUID()}?wait=20`), 404, "not_found");
  });
}
