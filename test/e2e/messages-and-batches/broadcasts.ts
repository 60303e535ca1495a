import type { Test } from "tap";
import { checkedPassFile } from "../support/apple-file.ts";
import { remove } from "../support/changes.ts";
import { judgeAccepted, judgeMessage } from "../support/judgements.ts";
import { finished, issuePass } from "../support/passes.ts";
import { rootCertificate } from "../support/sandbox.ts";
import type { Surroundings } from "./surroundings.ts";

export async function broadcasts(t: Test, { service, caller, loyaltyCard }: Surroundings) {
  const text = { header: "To all", body: "We open at ten" };

  t.test(
    "a broadcast counts the active passes of its template, anew on every read, and reaches them",
    async (t) => {
      const passes = await Promise.all([1, 2, 3].map(() => issuePass(caller, loyaltyCard())));
      const [first, second] = passes.map(({ json }) => json);
      const { template_id } = first;
      const reply = await caller.post("/api/v1/messages", { template_id, ...text });
      judgeAccepted(t, reply);
      judgeMessage(t, reply.json);
      t.match(reply.json, { status: "pending", affected_passes: 3, ...text });
      t.notOk(reply.json.pass_id, "it is to no single pass");
      t.match((await finished(caller, reply)).json, { type: "message.send", status: "completed" });
      const at = `/api/v1/messages/${reply.json.id}`;
      t.match((await caller.get(at)).json, { status: "sent", affected_passes: 3 });

      await finished(caller, await remove(caller, `/api/v1/passes/${second.id}`));
      t.equal((await caller.get(at)).json.affected_passes, 2, "a revoked one is no longer among them");
      const list = await caller.get(`/api/v1/messages?template_id=${template_id}`);
      t.equal(list.json.data[0].affected_passes, 2, "in lists too");
      await issuePass(caller, loyaltyCard());
      t.equal((await caller.get(at)).json.affected_passes, 3);

      const after = (await caller.get(`/api/v1/passes/${first.id}`)).json;
      const file = await checkedPassFile(t, after.providers.apple.save_link, rootCertificate(service));
      t.match(JSON.stringify(file.passJson.storeCard.backFields), text.body);
    },
  );

  t.test("a template without a pass is no fault of the caller's", async (t) => {
    const coupons = await caller.get("/api/v1/templates?template_type=Coupon");
    const template_id = coupons.json.data[0].id;
    const reply = await caller.post("/api/v1/messages", { template_id, ...text });
    judgeAccepted(t, reply);
    t.equal(reply.json.affected_passes, 0);
    t.equal((await finished(caller, reply)).json.status, "completed");
    t.equal((await caller.get(`/api/v1/messages/${reply.json.id}`)).json.status, "sent");
  });
}
