import type { Test } from "tap";
import { judgeError, judgePass } from "../support/judgements.ts";
import { issuePass, sampleRequest } from "../support/passes.ts";
import type { Surroundings } from "./surroundings.ts";

const types = [
  ...["LoyaltyCard", "EventTicket", "Coupon", "BoardingPass", "GiftCard", "MembershipCard", "Generic"],
];

export async function samples(t: Test, { client, stranger }: Surroundings) {
  for (const type of types) {
    t.test(`${type}: the system's template and its sample lead to a pass in both wallets`, async (t) => {
      const list = await client.get(`/api/v1/templates?template_type=${type}&status=active`);
      t.equal(list.json.total, 1);
      const { id } = list.json.data[0];
      const detail = await client.get(`/api/v1/templates/${id}`);
      t.match(detail.json, { ...list.json.data[0], providers: ["apple", "google"] });
      const request = await sampleRequest(client, id);
      const pass = await issuePass(client, request);
      judgePass(t, pass.json);
      t.equal(pass.json.status, "active");
      t.strictSame(pass.json.data, request.data);
    });
  }

  t.test("a template that is not there is 404, whatever of it is asked for", async (t) => {
    const id = crypto.randomUUID();
    for (const path of [id, `${id}/versions/latest`, `${id}/sample`, "1", "1/versions/latest", "1/sample"]) {
      judgeError(t, await client.get(`/api/v1/templates/${path}`), 404, "not_found", path);
      judgeError(t, await stranger.get(`/api/v1/templates/${path}`), 404, "not_found", path);
    }
  });
}
