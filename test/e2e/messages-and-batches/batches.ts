import type { Test } from "tap";
import { remove } from "../support/changes.ts";
import type { Client } from "../support/client.ts";
import { judgeAccepted, judgeBatch, judgeError, judgeFaults, judgeList } from "../support/judgements.ts";
import { finished, issuePass } from "../support/passes.ts";
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

  t.test("ten are enough at one time, and what is still queued can be cancelled", async (t) => {
    const operations = Array.from({ length: 1500 }, (_, n) => ({
      type: "update",
      external_ref: `nobody-${n}`,
      data: {},
    }));
    // All at one moment: however quick the worker is, it has not finished the first when the last comes in.
    const replies = await Promise.all(Array.from({ length: 14 }, () => stranger.post(path, { operations })));
    const accepted = replies.filter(({ status }) => status === 202);
    const refused = replies.filter(({ status }) => status !== 202);
    t.ok(accepted.length >= 10, `${accepted.length} accepted`);
    t.ok(refused.length > 0, "and some refused");
    for (const reply of refused) {
      judgeError(t, reply, 429, "too_many_batches");
      t.match(reply.headers["retry-after"], /^[1-9]\d*$/);
      t.equal(reply.headers["ratelimit-limit"], "10");
      t.equal(reply.headers["ratelimit-remaining"], "0");
      t.match(reply.headers["ratelimit-reset"], /^\d+$/);
    }
    const attempts = await Promise.all(accepted.map(({ json }) => remove(stranger, `${path}/${json.id}`)));
    for (const [index, attempt] of attempts.entries()) {
      const id = accepted[index]?.json.id;
      if (attempt.status !== 202) {
        judgeError(t, attempt, 409, "invalid_state");
        continue;
      }
      judgeAccepted(t, attempt);
      judgeBatch(t, attempt.json);
      t.match(attempt.json, { id, status: "cancelled" });
      t.equal((await stranger.get(`${path}/${id}`)).json.status, "cancelled");
      t.equal((await finished(stranger, attempt)).json.status, "cancelled");
    }
    t.ok(
      attempts.some(({ status }) => status === 202),
      "one at least had not begun",
    );
    for (const reply of accepted) await finished(stranger, reply);
    t.equal(
      (await stranger.post(path, { operations: operations.slice(0, 1) })).status,
      202,
      "there is room again",
    );
  });

  async function creditsOf({ tenantId }: Client): Promise<number> {
    return (await service.cli("tenants", "show", tenantId, "--json")).json().credits;
  }
}
