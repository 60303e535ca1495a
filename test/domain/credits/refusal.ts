import t from "tap";
import { creditRefusal, isCreditRefusal } from "../../../src/domain/credits/refusal.ts";

const baseUrl = "https://passes.example.com";

t.test("a prepaid tenant is told what is missing, and where to buy", async (t) => {
  const atMs = Date.UTC(2026, 10, 21);
  const error = creditRefusal({ outcome: "insufficient_credits", left: 3 }, { required: 4, baseUrl, atMs });
  t.strictSame(error.shortage, {
    required: 4,
    balance: 3,
    purchaseUrl: "https://passes.example.com/api/v1/billing/topup",
  });
  t.match(error, { code: "insufficient_credits", detail: /4 are needed, and there are 3\. Buy some/ });
});

t.test("a tenant with a contract is told when its month is over, also in December", async (t) => {
  for (const [atMs, resetsAtMs] of [
    [Date.UTC(2026, 10, 21), Date.UTC(2026, 11)],
    [Date.UTC(2026, 11, 31, 23, 59, 59, 999), Date.UTC(2027, 0)],
    [Date.UTC(2027, 0), Date.UTC(2027, 1)],
  ] as const) {
    const error = creditRefusal({ outcome: "contract_cap_reached", left: 1 }, { required: 2, baseUrl, atMs });
    t.strictSame(error.shortage, { required: 2, balance: 1, resetsAtMs });
    t.match(error, { code: "contract_cap_reached", detail: /2 are needed, and there is 1\.$/ });
  }
});

t.test("other words of a store are no refusal of credits", async (t) => {
  t.ok(isCreditRefusal("insufficient_credits"));
  t.ok(isCreditRefusal("contract_cap_reached"));
  t.notOk(isCreditRefusal("created"));
});
