import type { Test } from "tap";
import { patch, put } from "../support/changes.ts";
import { judgeAccepted, judgeError, judgeFaults, judgePass } from "../support/judgements.ts";
import { finished, newReference } from "../support/passes.ts";
import type { Surroundings } from "./surroundings.ts";

export async function upserts(t: Test, { client, stranger, limited, loyaltyCard }: Surroundings) {
  const pathOf = (reference: string) => `/api/v1/passes/by-external-ref/${encodeURIComponent(reference)}`;

  t.test("PUT makes what is not there: pending, version 1", async (t) => {
    const request = loyaltyCard({ external_ref: `${newReference()} zoë?&#` });
    const reply = await put(client, pathOf(request.external_ref), request);
    judgeAccepted(t, reply);
    judgePass(t, reply.json);
    t.match(reply.json, { status: "pending", version: 1, intent: "loyalty_card" });
    for (const { status } of Object.values<{ status: string }>(reply.json.providers))
      t.equal(status, "queued");
    t.equal(reply.json.external_ref, request.external_ref);
    t.strictSame(reply.json.data, request.data);
    t.match((await finished(client, reply)).json, { type: "pass.create", status: "completed" });
    t.equal((await client.get(`/api/v1/passes/${reply.json.id}`)).json.status, "active");
  });

  t.test("PUT replaces the data of what is there, whole: updating, the next version", async (t) => {
    const request = loyaltyCard();
    const first = await put(client, pathOf(request.external_ref), request);
    await finished(client, first);
    const data = { member: "Grace Hopper", tier: "Wren" };
    const reply = await put(client, pathOf(request.external_ref), { ...request, data });
    judgeAccepted(t, reply);
    judgePass(t, reply.json);
    t.match(reply.json, { id: first.json.id, status: "updating", version: 2 });
    t.strictSame(reply.json.data, data, "points are gone");
    t.match((await finished(client, reply)).json, { type: "pass.update", status: "completed" });
    t.match((await client.get(`/api/v1/passes/${first.json.id}`)).json, { status: "active", version: 2 });
    const again = await put(client, pathOf(request.external_ref), { ...request, data });
    t.equal(again.json.version, 3, "also when nothing changes");
  });

  t.test("the reference of the body is the path's", async (t) => {
    const [one, other] = [newReference(), newReference()];
    const reply = await put(client, pathOf(one), loyaltyCard({ external_ref: other }));
    judgeFaults(t, reply, ["/external_ref"]);
    judgeFaults(t, await put(client, pathOf(one), loyaltyCard({ external_ref: undefined })), [
      "/external_ref",
    ]);
    for (const reference of [one, other]) {
      t.equal((await client.get(`/api/v1/passes?external_ref=${reference}`)).json.total, 0);
    }
  });

  t.test("the body is judged as a new pass's is, whether there is one or not", async (t) => {
    const request = loyaltyCard();
    const at = pathOf(request.external_ref);
    for (const isThere of [false, true]) {
      if (isThere) await finished(client, await put(client, at, request));
      judgeFaults(t, await put(client, at, { ...request, data: {} }), ["/data/member"]);
      const data = { member: null, member_number: "1", nope: "2" };
      const paths = ["/data/member"];
      const nulls = await put(client, at, { ...request, data });
      t.equal(nulls.status, 400);
      for (const path of paths) t.ok(nulls.text.includes(path), "null is for PATCH");
      const computed = await put(client, at, {
        ...request,
        data: { member: "A", member_number: "1", nope: "2" },
      });
      judgeFaults(t, computed, ["/data/member_number", "/data/nope"]);
      judgeFaults(t, await put(client, at, { ...request, status: "active" }), ["/status"]);
      judgeError(t, await put(client, at, { ...request, intent: "coupon" }), 400, "intent_mismatch");
      const template_id = crypto.randomUUID();
      judgeError(t, await put(client, at, { ...request, template_id }), 400, "invalid_template");
    }
    const found = (await client.get(`/api/v1/passes?external_ref=${request.external_ref}`)).json.data[0];
    t.equal(found.version, 1);
  });

  t.test("a reference belongs to a tenant", async (t) => {
    const request = loyaltyCard();
    const mine = await put(client, pathOf(request.external_ref), request);
    const theirs = await put(stranger, pathOf(request.external_ref), request);
    for (const reply of [mine, theirs]) t.match(reply.json, { status: "pending", version: 1 });
    t.not(mine.json.id, theirs.json.id);
  });

  t.test("of many at one moment one makes the pass, and each of the others a version", async (t) => {
    const request = loyaltyCard();
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        put(client, pathOf(request.external_ref), { ...request, data: { member: `M${n}` } }),
      ),
    );
    t.strictSame(new Set(replies.map(({ status }) => status)), new Set([202]));
    t.equal(new Set(replies.map(({ json }) => json.id)).size, 1);
    const versions = replies.map(({ json }) => json.version).sort((a, b) => a - b);
    t.strictSame(
      versions,
      Array.from({ length: 12 }, (_, n) => n + 1),
    );
    for (const { json } of replies) t.equal(json.status, json.version === 1 ? "pending" : "updating");
    t.equal((await client.get(`/api/v1/passes?external_ref=${request.external_ref}`)).json.total, 1);
  });

  t.test("a new pass takes a credit, a new version none: 402 comes only with the fourth pass", async (t) => {
    const { byCredits } = limited;
    const requests = Array.from({ length: 4 }, () => loyaltyCard());
    for (const request of requests.slice(0, 3)) {
      for (const status of [202, 202]) {
        t.equal((await put(byCredits, pathOf(request.external_ref), request)).status, status);
      }
    }
    const [first, , , fourth] = requests;
    if (first === undefined || fourth === undefined) return;
    const refused = await put(byCredits, pathOf(fourth.external_ref), fourth);
    judgeError(t, refused, 402, "insufficient_credits");
    const none = await byCredits.get(`/api/v1/passes?external_ref=${fourth.external_ref}`);
    t.equal(none.json.total, 0);
    t.equal((await put(byCredits, pathOf(first.external_ref), first)).json.version, 3);
    t.equal((await patch(byCredits, pathOf(first.external_ref), { data: {} })).json.version, 4);
    const faulty = await put(byCredits, pathOf(fourth.external_ref), { ...fourth, data: {} });
    judgeFaults(t, faulty, ["/data/member"], "what is wrong with the body is said before what it costs");
  });

  t.test("a contract's cap is reached in the same way", async (t) => {
    const { byContract } = limited;
    const requests = Array.from({ length: 3 }, () => loyaltyCard());
    const replies = [];
    for (const request of requests)
      replies.push(await put(byContract, pathOf(request.external_ref), request));
    const [, second, third] = replies;
    t.equal(second?.status, 202);
    if (third !== undefined) judgeError(t, third, 402, "contract_cap_reached");
    judgeError(t, await byContract.post("/api/v1/passes", loyaltyCard()), 402, "contract_cap_reached");
    const [request] = requests;
    if (request === undefined) return;
    t.equal((await put(byContract, pathOf(request.external_ref), request)).json.version, 2);
  });
}
