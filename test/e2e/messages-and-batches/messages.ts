import type { Test } from "tap";
import { checkedPassFile } from "../support/apple-file.ts";
import { remove } from "../support/changes.ts";
import { googleObject } from "../support/google-faults.ts";
import { judgeAccepted, judgeError, judgeFaults, judgeList, judgeMessage } from "../support/judgements.ts";
import { finished, issuePass } from "../support/passes.ts";
import { rootCertificate } from "../support/sandbox.ts";
import type { Surroundings } from "./surroundings.ts";

const path = "/api/v1/messages";
const text = { header: "Fresh coffee", body: "The first cup is on us: «today only» \u{1f3ab}" };

export async function messages(t: Test, { service, client, stranger, loyaltyCard }: Surroundings) {
  t.test("a message to one pass is pending, then sent, and shows in both wallets", async (t) => {
    const { json: pass } = await issuePass(client, loyaltyCard());
    const reply = await client.post(path, { pass_id: pass.id, ...text });
    judgeAccepted(t, reply);
    judgeMessage(t, reply.json);
    t.match(reply.json, { pass_id: pass.id, status: "pending", affected_passes: 1, ...text });
    const job = await finished(client, reply);
    t.match(job.json, { type: "message.send", status: "completed" });
    t.strictSame(job.json.resource, { type: "message", id: reply.json.id });
    const read = await client.get(`${path}/${reply.json.id}`);
    judgeMessage(t, read.json);
    t.strictSame(read.json, { ...reply.json, status: "sent" });

    const { resource } = await googleObject(service, pass.id);
    t.match(JSON.stringify(resource.messages), text.body);
    const after = (await client.get(`/api/v1/passes/${pass.id}`)).json;
    t.match(after, { version: 1, status: "active" }, "a message is no new version");
    const file = await checkedPassFile(t, after.providers.apple.save_link, rootCertificate(service));
    t.match(JSON.stringify(file.passJson.storeCard.backFields), text.body);
  });

  t.test("exactly one of pass_id and template_id", async (t) => {
    const { json: pass } = await issuePass(client, loyaltyCard());
    const { id: pass_id, template_id } = pass;
    for (const target of [{}, { pass_id, template_id }]) {
      judgeError(t, await client.post(path, { ...target, ...text }), 400, "invalid_request");
    }
    t.equal((await client.get(`/api/v1/passes/${pass_id}/messages`)).json.total, 0);
  });

  t.test("each member must be what it should; lengths count characters, not bytes", async (t) => {
    const { json: pass } = await issuePass(client, loyaltyCard());
    const good = { pass_id: pass.id, ...text };
    const cases: [changes: object, ...paths: string[]][] = [
      [{ header: undefined }, "/header"],
      [{ body: undefined }, "/body"],
      [{ header: 1, body: null }, "/body", "/header"],
      [{ header: "x".repeat(101), body: "x".repeat(501) }, "/body", "/header"],
      [{ pass_id: "1" }, "/pass_id"],
      [{ pass_id: undefined, template_id: "1" }, "/template_id"],
      [{ title: "x" }, "/title"],
      [{ pass_id: undefined, header: "" }, "", "/header"],
      [{ template_id: pass.template_id, title: 1 }, "", "/title"],
    ];
    for (const [changes, ...paths] of cases) {
      judgeFaults(
        t,
        await client.post(path, { ...good, ...changes }),
        paths,
        JSON.stringify(changes).slice(0, 60),
      );
    }
    const longest = { header: "\u{1f3ab}".repeat(100), body: "\u{1f3ab}".repeat(500) };
    const reply = await client.post(path, { ...good, ...longest });
    t.match(reply, { status: 202, json: longest });
    t.equal((await finished(client, reply)).json.status, "completed");
  });

  t.test("a target that is missing or another's is 404, a revoked one 409", async (t) => {
    const { json: pass } = await issuePass(client, loyaltyCard());
    const nobody = crypto.randomUUID();
    judgeError(t, await client.post(path, { pass_id: nobody, ...text }), 404, "not_found");
    judgeError(t, await client.post(path, { template_id: nobody, ...text }), 404, "not_found");
    judgeError(t, await stranger.post(path, { pass_id: pass.id, ...text }), 404, "not_found");
    judgeError(t, await client.get(`${path}/${nobody}`), 404, "not_found");
    judgeError(t, await client.get(`${path}/1`), 404, "not_found");
    judgeError(t, await client.get(`/api/v1/passes/${nobody}/messages`), 404, "not_found");
    judgeError(t, await stranger.get(`/api/v1/passes/${pass.id}/messages`), 404, "not_found");
    const sent = await client.post(path, { pass_id: pass.id, ...text });
    judgeError(t, await stranger.get(`${path}/${sent.json.id}`), 404, "not_found");
    await finished(client, await remove(client, `/api/v1/passes/${pass.id}`));
    judgeError(t, await client.post(path, { pass_id: pass.id, ...text }), 409, "invalid_state");
    t.equal((await client.get(`/api/v1/passes/${pass.id}/messages`)).json.total, 1);
  });

  t.test("the lists know their filters", async (t) => {
    const [one, other] = [await issuePass(stranger, loyaltyCard()), await issuePass(stranger, loyaltyCard())];
    const { id: pass_id, template_id } = one.json;
    const single = await stranger.post(path, { pass_id, ...text });
    const second = await stranger.post(path, { pass_id: other.json.id, ...text });
    const broadcast = await stranger.post(path, { template_id, ...text });
    for (const accepted of [single, second, broadcast]) await finished(stranger, accepted);
    const [a, b, c] = [single.json.id, second.json.id, broadcast.json.id];
    const expected: Record<string, string[]> = {
      "": [c, b, a],
      [`?pass_id=${pass_id}`]: [a],
      [`?template_id=${template_id}`]: [c],
      [`?pass_id=${pass_id}&template_id=${template_id}`]: [],
      "?status=sent": [c, b, a],
      "?status=failed": [],
      [`?status=sent&pass_id=${pass_id}`]: [a],
      [`?status=pending&pass_id=${pass_id}`]: [],
      [`?pass_id=${crypto.randomUUID()}`]: [],
    };
    for (const [query, ids] of Object.entries(expected)) {
      const list = await stranger.get(`${path}${query}`);
      judgeList(t, list, judgeMessage);
      t.equal(list.json.total, ids.length, query);
      t.strictSame(
        list.json.data.map(({ id }: { id: string }) => id),
        ids,
        query,
      );
    }
    const ofPass = await stranger.get(`/api/v1/passes/${pass_id}/messages`);
    judgeList(t, ofPass, judgeMessage);
    t.equal(ofPass.json.data[0]?.id, a);
  });
}
