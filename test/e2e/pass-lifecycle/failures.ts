import type { Test } from "tap";
import { patch } from "../support/changes.ts";
import type { Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { addFault, endFaults, googleObject } from "../support/google-faults.ts";
import { judgeJob, judgePass } from "../support/judgements.ts";
import { finished, issuePass } from "../support/passes.ts";
import type { Surroundings } from "./surroundings.ts";

export async function failures(t: Test, { service, unlucky, loyaltyCard }: Surroundings) {
  /** Makes Google answer 503 to everything about a tenant's passes; its issuer shows in a pass that is there. */
  const refuse = async (client: Client) => {
    const { json } = await issuePass(client, loyaltyCard());
    const { type, issuerId } = await googleObject(service, json.id);
    await addFault(service, { status: 503, times: 1000, resource_prefix: `${type}/${issuerId}.` });
    return json.id;
  };
  const credits = async ({ tenantId }: Client): Promise<number> =>
    (await service.cli("tenants", "show", tenantId, "--json")).json().credits;
  t.afterEach(() => endFaults(service));

  t.test("one wallet of two failed for good: partial, and the next update makes it whole", async (t) => {
    await refuse(unlucky.both);
    const before = await credits(unlucky.both);
    const request = loyaltyCard();
    const accepted = await unlucky.both.post("/api/v1/passes", request);
    const job = await finished(unlucky.both, accepted);
    judgeJob(t, job.json);
    t.equal(job.json.status, "failed");
    t.equal(job.json.attempts, 3, "as many as the schedule has");
    const at = `/api/v1/passes/${accepted.json.id}`;
    const pass = await unlucky.both.get(at);
    judgePass(t, pass.json);
    t.equal(pass.json.status, "partial");
    const { apple, google } = pass.json.providers;
    t.equal(apple.status, "completed");
    t.equal(google.status, "failed");
    t.strictSame(google.error, job.json.error);
    t.notOk("save_link" in google);
    t.equal(await credits(unlucky.both), before - 1, "a pass in one wallet is paid for");

    await endFaults(service);
    const updated = await patch(unlucky.both, at, { data: {} });
    t.equal(updated.json.status, "updating", updated.text);
    t.equal((await finished(unlucky.both, updated)).json.status, "completed");
    const healed = await unlucky.both.get(at);
    judgePass(t, healed.json);
    t.equal(healed.json.status, "active");
    t.notOk("error" in healed.json.providers.google);
  });

  t.test("one wallet of two still under way: partial, with the other's link", async (t) => {
    const { json } = await issuePass(unlucky.both, loyaltyCard());
    const { type, issuerId } = await googleObject(service, json.id);
    await addFault(service, { delay_ms: 1500, times: 1, resource_prefix: `${type}/${issuerId}.` });
    const accepted = await unlucky.both.post("/api/v1/passes", loyaltyCard());
    const at = `/api/v1/passes/${accepted.json.id}`;
    const early = await eventually(async () => {
      const pass = await unlucky.both.get(at);
      return pass.json.status === "pending" ? undefined : pass;
    });
    judgePass(t, early.json);
    t.equal(early.json.status, "partial");
    t.equal(early.json.providers.apple.status, "completed");
    t.match(early.json.providers.google.status, /^(queued|processing)$/);
    t.equal((await finished(unlucky.both, accepted)).json.status, "completed");
    t.equal((await unlucky.both.get(at)).json.status, "active");
  });

  t.test("every wallet failed for good: failed, and the credit is back", async (t) => {
    const other = await refuse(unlucky.google);
    const before = await credits(unlucky.google);
    const request = loyaltyCard();
    const accepted = await unlucky.google.post("/api/v1/passes", request);
    t.equal(accepted.status, 202, accepted.text);
    const job = await finished(unlucky.google, accepted);
    judgeJob(t, job.json);
    t.match(job.json, { type: "pass.create", status: "failed" });
    const pass = await unlucky.google.get(`/api/v1/passes/${accepted.json.id}`);
    judgePass(t, pass.json);
    t.equal(pass.json.status, "failed");
    t.equal(pass.json.providers.google.status, "failed");
    t.equal(await credits(unlucky.google), before);
    const filtered = await unlucky.google.get("/api/v1/passes?status=failed");
    t.match(filtered.json, { total: 1, data: [{ id: pass.json.id }] });

    const again = await unlucky.google.post("/api/v1/passes", request);
    t.match(again, { status: 202, json: { id: pass.json.id, status: "pending", version: 1 } });
    t.equal(again.headers["idempotent-replayed"], "true");
    t.equal(await credits(unlucky.google), before, "a repetition costs nothing");

    const update = await patch(unlucky.google, `/api/v1/passes/${other}`, { data: { points: "1" } });
    t.equal((await finished(unlucky.google, update)).json.status, "failed");
    t.equal((await unlucky.google.get(`/api/v1/passes/${other}`)).json.status, "failed");
  });
}
