import type { Test } from "tap";
import { checkedPassFile } from "../support/apple-file.ts";
import { patch, put } from "../support/changes.ts";
import { googleObject } from "../support/google-faults.ts";
import { judgeError, judgeList, judgeVersion } from "../support/judgements.ts";
import { finished, issuePass } from "../support/passes.ts";
import { rootCertificate } from "../support/sandbox.ts";
import type { Surroundings } from "./surroundings.ts";

type Version = { version: number; change: string; data: object; job_id: string; created_at: string };

export async function versions(t: Test, { service, client, stranger, loyaltyCard }: Surroundings) {
  t.test("each accepted change is in the history, newest first, with its data and its job", async (t) => {
    const request = loyaltyCard();
    const created = await client.post("/api/v1/passes", request);
    const at = `/api/v1/passes/${created.json.id}`;
    const changes = [
      created,
      await patch(client, at, { data: { tier: "Wren" } }),
      await put(client, `/api/v1/passes/by-external-ref/${request.external_ref}`, {
        ...request,
        data: { member: "Grace" },
      }),
      await patch(client, `/api/v1/passes/by-external-ref/${request.external_ref}`, { data: {} }),
    ];
    const reply = await client.get(`${at}/versions`);
    judgeList(t, reply, judgeVersion);
    t.match(reply.json, { total: 4, page: 1, page_size: 20 });
    t.strictSame(
      reply.json.data.map(({ created_at, ...rest }: Version) => rest),
      [
        { version: 4, change: "updated", data: { member: "Grace" }, job_id: changes[3]?.json.job_id },
        { version: 3, change: "updated", data: { member: "Grace" }, job_id: changes[2]?.json.job_id },
        {
          version: 2,
          change: "updated",
          data: { ...request.data, tier: "Wren" },
          job_id: changes[1]?.json.job_id,
        },
        { version: 1, change: "created", data: request.data, job_id: created.json.job_id },
      ],
    );
    t.equal(reply.json.data[3].created_at, created.json.created_at);
    const second = await client.get(`${at}/versions?page=2&page_size=3`);
    t.strictSame(second.json, { data: [reply.json.data[3]], total: 4, page: 2, page_size: 3 });
    judgeError(t, await stranger.get(`${at}/versions`), 404, "not_found");
  });

  t.test("of a pass that is not there, 404", async (t) => {
    for (const id of [crypto.randomUUID(), "1"]) {
      judgeError(t, await client.get(`/api/v1/passes/${id}/versions`), 404, "not_found");
    }
  });

  t.test(
    "after many quick updates the wallets have the newest data, and no job is left behind",
    async (t) => {
      const pass = await issuePass(client, loyaltyCard());
      const at = `/api/v1/passes/${pass.json.id}`;
      const rounds = 4;
      const each = 10;
      const replies = [];
      for (let round = 0; round < rounds; round++) {
        const some = Array.from({ length: each }, (_, n) =>
          patch(client, at, { data: { tier: `tier ${round}-${n}.` } }),
        );
        replies.push(...(await Promise.all(some)));
      }
      const newest = rounds * each + 1;
      const numbers = replies.map(({ json }) => json.version).sort((a, b) => a - b);
      t.strictSame(
        numbers,
        Array.from({ length: newest - 1 }, (_, n) => n + 2),
      );
      for (const reply of replies) t.equal((await finished(client, reply)).json.status, "completed");

      const read = await client.get(at);
      t.match(read.json, { status: "active", version: newest });
      const last = replies.find(({ json }) => json.version === newest);
      t.strictSame(read.json.data, last?.json.data);
      const history = await client.get(`${at}/versions?page_size=100`);
      judgeList(t, history, judgeVersion);
      t.strictSame(
        history.json.data.map(({ version }: Version) => version),
        Array.from({ length: newest }, (_, n) => newest - n),
      );
      t.strictSame(history.json.data[0].data, read.json.data);

      const { passJson } = await checkedPassFile(
        t,
        read.json.providers.apple.save_link,
        rootCertificate(service),
      );
      const wallets = [passJson, (await googleObject(service, pass.json.id)).resource];
      for (const wallet of wallets) {
        const tiers = new Set(JSON.stringify(wallet).match(/tier \d-\d\./g));
        t.strictSame(tiers, new Set([read.json.data.tier]));
      }
    },
  );
}
