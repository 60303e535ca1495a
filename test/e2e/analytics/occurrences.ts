import type { Test } from "tap";
import { patch, put, remove } from "../support/changes.ts";
import { eventually } from "../support/eventually.ts";
import { addFault, endFaults, googleObject } from "../support/google-faults.ts";
import { judgeEvent } from "../support/judgements.ts";
import { finished, issuePass, newReference } from "../support/passes.ts";
import { ask } from "../support/requests.ts";
import { type Event, eventsOf, type Surroundings } from "./surroundings.ts";

export async function occurrences(t: Test, { service, client, unlucky, loyaltyCard }: Surroundings) {
  const typesOf = (events: Event[]) => events.map(({ event_type }) => event_type).sort();

  t.test("each thing that happens to a pass is one event, with the pass and its template", async (t) => {
    const request = loyaltyCard();
    const created = await client.post("/api/v1/passes", request);
    const { id: pass_id, template_id } = created.json;
    const at = `/api/v1/passes/${pass_id}`;
    await finished(client, created);
    await client.post("/api/v1/passes", request);
    t.strictSame(typesOf(await eventsOf(client, { pass_id })), ["pass.activated", "pass.created"]);

    const headers = { "idempotency-key": newReference() };
    for (let n = 0; n < 2; n++) await finished(client, await patch(client, at, { data: {} }, headers));
    const byReference = `/api/v1/passes/by-external-ref/${request.external_ref}`;
    await finished(client, await put(client, byReference, request));
    await finished(client, await patch(client, byReference, { data: {} }));
    const message = await client.post("/api/v1/messages", { pass_id, header: "Hello", body: "there" });
    await finished(client, message);
    await finished(client, await remove(client, at));
    await remove(client, at);
    const events = await eventsOf(client, { pass_id });
    for (const event of events) {
      judgeEvent(t, event);
      t.equal(event.pass_id, pass_id);
      if (event.event_type.startsWith("pass.")) t.match(event, { template_id });
    }
    const once = ["message.sent", "pass.activated", "pass.created", "pass.revoked"];
    const updates = ["pass.updated", "pass.updated", "pass.updated"];
    t.strictSame(typesOf(events), [...once, ...updates].sort(), "jobs are events of their own");
    const sent = events.find(({ event_type }) => event_type === "message.sent");
    t.match(sent, { message_id: message.json.id });
  });

  t.test(
    "a look at the page or the file is a view; asking for anything else, or for its head, is not another",
    async (t) => {
      const { json: pass } = await issuePass(client, loyaltyCard());
      const views = () => eventsOf(client, { pass_id: pass.id, event_type: "pass.viewed" });
      t.equal((await views()).length, 0);
      for (const [index, url] of [pass.page_url, pass.providers.apple.save_link].entries()) {
        t.equal((await ask(url)).status, 200);
        await eventually(async () => ((await views()).length === index + 1 ? true : undefined));
      }
      await client.get(`/api/v1/passes/${pass.id}`);
      t.equal((await views()).length, 2);
    },
  );

  t.test("a pass that fails everywhere is one pass.failed, and its job a job.failed", async (t) => {
    const { json: first } = await issuePass(unlucky, loyaltyCard());
    const { type, issuerId } = await googleObject(service, first.id);
    await addFault(service, { status: 503, times: 1000, resource_prefix: `${type}/${issuerId}.` });
    const accepted = await unlucky.post("/api/v1/passes", loyaltyCard());
    t.equal((await finished(unlucky, accepted)).json.status, "failed");
    await endFaults(service);
    const events = await eventsOf(unlucky, { pass_id: accepted.json.id });
    t.strictSame(
      typesOf(events).filter((type) => type.startsWith("pass.")),
      ["pass.created", "pass.failed"],
    );
    t.equal((await eventsOf(unlucky, { event_type: "job.failed" })).length, 1);
    t.equal((await eventsOf(unlucky, { event_type: "job.completed" })).length, 1);
    t.equal((await eventsOf(unlucky, { event_type: "pass.activated" })).length, 1);
  });
}
