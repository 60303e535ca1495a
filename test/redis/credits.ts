import t from "tap";
import { addCredits } from "../../src/domain/credits/add.ts";
import { largestBalance } from "../../src/domain/credits/credits.ts";
import { createCreditStore } from "../../src/redis/credits.ts";
import { openIssuer } from "../support/issuer.ts";
import { openStore } from "../support/store.ts";

const operator = "ada@host";

t.test("credits that many add at once are all there, and each is told its own balance", async (t) => {
  const store = await openStore(t);
  const issuer = await openIssuer(store, { billing: { mode: "prepaid", credits: 5 } });
  const others = await Promise.all([store.another(), store.another()]);
  const stores = others.map(createCreditStore);
  const balances = await Promise.all(
    Array.from({ length: 20 }, (_, turn) =>
      addCredits(
        { ...issuer, credits: stores[turn % 2] ?? createCreditStore(store) },
        { tenantId: issuer.tenantId, amount: 10, operator },
      ),
    ),
  );
  t.strictSame(
    balances.sort((a, b) => a - b),
    Array.from({ length: 20 }, (_, turn) => 15 + 10 * turn),
  );
  t.strictSame(await issuer.balance(), { mode: "prepaid", credits: 205 });
});

t.test("added credits can be spent", async (t) => {
  const store = await openStore(t);
  const issuer = await openIssuer(store, { billing: { mode: "prepaid", credits: 0 } });
  await t.rejects(issuer.create(), { code: "insufficient_credits" });
  await addCredits(
    { ...issuer, credits: createCreditStore(store) },
    { tenantId: issuer.tenantId, amount: 1, operator },
  );
  await issuer.create();
  await t.rejects(issuer.create(), { code: "insufficient_credits" });
});

t.test("only a prepaid tenant takes credits, and only so many", async (t) => {
  const store = await openStore(t);
  const credits = createCreditStore(store);
  const contract = await openIssuer(store, { billing: { mode: "contract", monthlyCap: 9 } });
  const add = (tenantId: string, amount: number) =>
    addCredits({ ...contract, credits }, { tenantId, amount, operator });
  await t.rejects(add(contract.tenantId, 5), { code: "invalid_state", detail: /under a contract/ });
  t.strictSame(await contract.balance(), { mode: "contract", monthlyCap: 9, usedThisMonth: 0 });
  await t.rejects(add(store.ids.uuid(), 5), { code: "not_found" });
  t.strictSame(
    await credits.add(store.ids.uuid(), 5, operator),
    { outcome: "unknown" },
    "and makes no balance",
  );

  const prepaid = await openIssuer(store, { billing: { mode: "prepaid", credits: 1 } });
  for (const amount of [0, -5, 1.5, Number.NaN, largestBalance + 1, 2 ** 60]) {
    await t.rejects(add(prepaid.tenantId, amount), { code: "invalid_request" }, String(amount));
  }
  await t.rejects(add(prepaid.tenantId, largestBalance), { code: "invalid_request", detail: /above/ });
  t.equal(await add(prepaid.tenantId, largestBalance - 1), largestBalance);
  t.strictSame(await prepaid.balance(), { mode: "prepaid", credits: largestBalance });
});
