import type { Test } from "tap";
import type { Client } from "../support/client.ts";
import { withoutTrace } from "../support/requests.ts";
import type { Surroundings } from "./surroundings.ts";

const unknown = "0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10";

export async function refusals(t: Test, surroundings: Surroundings) {
  const { client, service, without, limited, templates, strangerTemplate, loyaltyCard } = surroundings;
  const create = (who: Client, body: object) => who.post("/api/v1/passes", body);
  const total = async (who: Client) => (await who.get("/api/v1/passes")).json.total;

  t.test("a template that is nobody's, and one of another tenant, are invalid_template alike", async (t) => {
    const [nobodys, anothers] = await Promise.all(
      [unknown, strangerTemplate].map((template_id) => create(client, loyaltyCard({ template_id }))),
    );
    for (const reply of [nobodys, anothers]) {
      t.equal(reply?.status, 400);
      t.match(reply?.json, { error: "invalid_template" });
    }
    if (nobodys && anothers) t.strictSame(withoutTrace(nobodys), withoutTrace(anothers));
  });

  t.test(
    "an intent that is not the template's is intent_mismatch, whether there is such an intent or not",
    async (t) => {
      for (const intent of ["coupon", "LoyaltyCard", "loyalty card", "nope", ""]) {
        const reply = await create(client, loyaltyCard({ intent }));
        t.equal(reply.status, 400, intent);
        // The empty one may as well be seen as malformed.
        t.ok(
          [...(intent === "" ? ["invalid_request"] : []), "intent_mismatch"].includes(reply.json.error),
          intent,
        );
      }
      const coupon = await create(client, loyaltyCard({ template_id: templates.Coupon }));
      t.match(coupon.json, { error: "intent_mismatch" });
    },
  );

  t.test("without a wallet of the tenant's there is no pass", async (t) => {
    const reply = await create(without.wallets, loyaltyCard());
    t.equal(reply.status, 400, reply.text);
    t.match(reply.json, { error: "no_providers" });
    t.equal(await total(without.wallets), 0);
  });

  t.test("only the wallets that the tenant has are served", async (t) => {
    const reply = await create(limited.byContract, loyaltyCard());
    t.equal(reply.status, 202, reply.text);
    t.strictSame(Object.keys(reply.json.providers), ["google"]);
  });

  t.test("without credits: 402, and nothing is left behind", async (t) => {
    const body = loyaltyCard();
    const headers = { "idempotency-key": crypto.randomUUID() };
    for (let n = 0; n < 2; n++) {
      const reply = await without.credits.post("/api/v1/passes", body, headers);
      t.equal(reply.status, 402, reply.text);
      t.match(reply.json, { error: "insufficient_credits", error_description: /\S/, trace_id: String });
      const purchase_url = `${service.announced.base_url}/api/v1/billing/topup`;
      t.match(reply.json, { required: 1, balance: 0, purchase_url });
      t.equal(reply.headers["idempotent-replayed"], undefined, "a refusal is not kept");
    }
    t.equal(await total(without.credits), 0);
  });

  t.test("three credits make three passes, however many ask at once", async (t) => {
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => create(limited.byCredits, loyaltyCard())),
    );
    const statuses = replies.map(({ status }) => status).sort();
    t.strictSame(statuses, [...Array(3).fill(202), ...Array(9).fill(402)]);
    for (const { status, json } of replies) {
      if (status === 402) t.match(json, { error: "insufficient_credits" });
    }
    t.equal(await total(limited.byCredits), 3);
    const shown = await service.cli("tenants", "show", limited.byCredits.tenantId, "--json");
    t.match(shown.json(), { id: limited.byCredits.tenantId, credits: 0 });
  });

  t.test("a contract ends at its cap", async (t) => {
    // One pass of this month's two was made above.
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => create(limited.byContract, loyaltyCard())),
    );
    t.strictSame(replies.map(({ status }) => status).sort(), [202, ...Array(5).fill(402)]);
    for (const { status, json } of replies) {
      if (status === 402) t.match(json, { error: "contract_cap_reached" });
    }
    t.equal(await total(limited.byContract), 2);
  });
}
