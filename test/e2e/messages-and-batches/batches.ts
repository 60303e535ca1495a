import type { Test } from "tap";
import { remove } from "../support/changes.ts";
import type { Client } from "../support/client.ts";
import { judgeAccepted, judgeBatch, judgeError, judgeFaults, judgeList } from "../support/judgements.ts";
import { finished, issuePass } from "../support/passes.ts";
import { whileWorkerPauses } from "../support/paused-worker.ts";
import type { Surroundings } from "./surroundings.ts";

const path = "/api/v1/batches";

export async function batches(t: Test, { service, client, stranger, poor, loyaltyCard }: Surroundings) {
  t.test("operations are carried out in order, and one that fails stops no other", async (t) => {
    const [pass, other] = [loyaltyCard(), loyaltyCard()];
    const { json: known } = await issuePass(client, loyaltyCard());
    const { external_ref } = pass;
    const operations = [
      { type: "create", pass },
      { type: "update", external_ref, data: { points: "1" } },
      { type: "update", external_ref, data: { points: "2", tier: "Wren" } },
      { type: "update", pass_id: known.id, data: { nope: "x" } },
      { type: "update", pass_id: crypto.randomUUID(), data: {} },
      { type: "create", pass: { ...other, intent: "coupon" } },
      { type: "revoke", pass_id: known.id },
      { type: "revoke", external_ref: known.external_ref },
      { type: "create", pass: other },
    ];
    const reply = await client.post(path, { name: "nightly", operations });
    judgeAccepted(t, reply);
    judgeBatch(t, reply.json);
    t.match(reply.json, { name: "nightly", total: 9, succeeded: 0, failed: 0, errors: [] });
    t.match(reply.json, { started_at: null, finished_at: null, status: "queued" });
    const job = await finished(client, reply);
    t.match(job.json, { type: "batch.process", status: "completed", progress: { done: 9, total: 9 } });
    t.strictSame(job.json.resource, { type: "batch", id: reply.json.id });

    const batch = await client.get(`${path}/${reply.json.id}`);
    judgeBatch(t, batch.json);
    t.match(batch.json, { status: "completed", total: 9, succeeded: 5, failed: 4 });
    t.strictSame(
      batch.json.errors.map(({ index, error }: { index: number; error: string }) => [index, error]),
      [
        [3, "invalid_request"],
        [4, "not_found"],
        [5, "intent_mismatch"],
        [7, "invalid_state"],
      ],
    );
    const made = (await client.get(`/api/v1/passes?external_ref=${external_ref}`)).json.data[0];
    t.equal(made.version, 3);
    t.strictSame(made.data, { ...pass.data, points: "2", tier: "Wren" });
    t.match((await client.get(`/api/v1/passes/${known.id}`)).json.status, /^revok(ing|ed)$/);
    judgeError(t, await remove(client, `${path}/${reply.json.id}`), 409, "invalid_state");
    judgeError(t, await stranger.get(`${path}/${reply.json.id}`), 404, "not_found");
    judgeError(t, await stranger.ask(`${path}/${reply.json.id}`, { method: "DELETE" }), 404, "not_found");
  });

  t.test(
    "a fault in the shape of one operation refuses all of them, and each is named by its index",
    async (t) => {
      const pass = loyaltyCard();
      const pass_id = crypto.randomUUID();
      const reply = await client.post(path, {
        operations: [
          { type: "create", pass },
          { type: "create" },
          { type: "update", data: {} },
          { type: "update", pass_id, external_ref: "x", data: {} },
          { type: "update", pass_id },
          { type: "erase", pass_id },
          { type: "revoke", pass_id: "1" },
        ],
      });
      judgeError(t, reply, 400, "invalid_request");
      const indexes = reply.json.details.map(({ path }: { path: string }) =>
        path.split("/").slice(0, 3).join("/"),
      );
      t.strictSame(
        [...new Set(indexes)].sort(),
        [1, 2, 3, 4, 5, 6].map((n) => `/operations/${n}`),
      );
      t.equal((await client.get(`/api/v1/passes?external_ref=${pass.external_ref}`)).json.total, 0);
      for (const operations of [undefined, [], {}, null]) {
        judgeFaults(t, await client.post(path, { operations }), ["/operations"]);
      }
      const many = Array(10_001).fill({ type: "revoke", external_ref: "x" });
      judgeFaults(t, await client.post(path, { operations: many }), ["/operations"], "10,001");
      judgeFaults(t, await client.post(path, { operations: many.slice(0, 1), nom: 1 }), ["/nom"]);
    },
  );

  t.test("creates reserve their credits, and what was not used comes back", async (t) => {
    const creates = (n: number, changes = {}) =>
      Array.from({ length: n }, () => ({ type: "create", pass: loyaltyCard(changes) }));
    judgeError(t, await poor.post(path, { operations: creates(4) }), 402, "insufficient_credits");
    t.equal(await creditsOf(poor), 3);
    const operations = [...creates(1), ...creates(2, { intent: "coupon" })];
    const reply = await poor.post(path, { operations });
    judgeAccepted(t, reply);
    t.equal(reply.json.name ?? null, null, "a name is not needed");
    await finished(poor, reply);
    t.match((await poor.get(`${path}/${reply.json.id}`)).json, { succeeded: 1, failed: 2 });
    t.equal(await creditsOf(poor), 2);
  });

  t.test("the list knows the states, and who is not there is 404", async (t) => {
    const operations = [{ type: "revoke", external_ref: "nobody" }];
    const reply = await stranger.post(path, { operations });
    await finished(stranger, reply);
    for (const [query, total] of [
      ["", 1],
      ["?status=completed", 1],
      ["?status=cancelled", 0],
    ] as const) {
      const list = await stranger.get(`${path}${query}`);
      judgeList(t, list, judgeBatch);
      t.equal(list.json.total, total, query);
    }
    for (const id of [crypto.randomUUID(), "1"]) {
      judgeError(t, await stranger.get(`${path}/${id}`), 404, "not_found");
      judgeError(t, await remove(stranger, `${path}/${id}`), 404, "not_found");
    }
  });

  t.test("ten are enough at one time", async (t) => {
    const operations = [{ type: "revoke", external_ref: "nobody" }];
    const accepted = await whileWorkerPauses(service, async () => {
      const replies = await Promise.all(
        Array.from({ length: 14 }, () => stranger.post(path, { operations })),
      );
      const refused = replies.filter(({ status }) => status !== 202);
      t.equal(refused.length, 4);
      for (const reply of refused) {
        judgeError(t, reply, 429, "too_many_batches");
        t.match(reply.headers["retry-after"], /^[1-9]\d*$/);
        t.equal(reply.headers["ratelimit-limit"], "10");
        t.equal(reply.headers["ratelimit-remaining"], "0");
        t.match(reply.headers["ratelimit-reset"], /^\d+$/);
      }
      judgeFaults(t, await stranger.post(path, { operations: [] }), ["/operations"], "the body comes first");
      return replies.filter(({ status }) => status === 202);
    });
    for (const reply of accepted) await finished(stranger, reply);
    t.equal((await stranger.post(path, { operations })).status, 202, "there is room again");
  });

  t.test("a queued batch can be cancelled: its credits are back, and nothing of it is done", async (t) => {
    const pass = loyaltyCard();
    const before = await creditsOf(poor);
    const [reply, cancelled] = await whileWorkerPauses(service, async () => {
      const reply = await poor.post(path, { operations: [{ type: "create", pass }] });
      judgeAccepted(t, reply);
      t.equal(await creditsOf(poor), before - 1, "reserved");
      const queued = await poor.get(`${path}?status=queued`);
      t.strictSame(queued.json.data, [reply.json]);
      const cancelled = await remove(poor, `${path}/${reply.json.id}`);
      judgeError(t, await remove(poor, `${path}/${reply.json.id}`), 409, "invalid_state");
      return [reply, cancelled];
    });
    judgeAccepted(t, cancelled);
    judgeBatch(t, cancelled.json);
    t.match(cancelled.json, { id: reply.json.id, status: "cancelled", succeeded: 0, failed: 0 });
    t.equal((await finished(poor, reply)).json.status, "cancelled");
    t.strictSame((await poor.get(`${path}/${reply.json.id}`)).json, cancelled.json);
    t.equal(await creditsOf(poor), before);
    // What was accepted later is done: so would the cancelled one have been.
    await finished(poor, await poor.post(path, { operations: [{ type: "revoke", external_ref: "x" }] }));
    t.equal((await poor.get(`/api/v1/passes?external_ref=${pass.external_ref}`)).json.total, 0);
  });

  async function creditsOf({ tenantId }: Client): Promise<number> {
    return (await service.cli("tenants", "show", tenantId, "--json")).json().credits;
  }
}
