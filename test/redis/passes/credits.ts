import t from "tap";
import { openIssuer } from "../../support/issuer.ts";
import { openStore } from "../../support/store.ts";
import { claimOf, failed, openQueue, settle } from "../../support/work.ts";

const store = await openStore(t);
const { clock } = store;

/** Sends creates at once over two connections; answers how many were accepted and why the others were not. */
async function rush(issuer: Awaited<ReturnType<typeof openIssuer>>, count: number) {
  const other = await store.another();
  const results = await Promise.allSettled(
    Array.from({ length: count }, (_, i) => issuer.create({}, i % 2 === 0 ? store : other)),
  );
  const refusals = results.filter((result) => result.status === "rejected");
  return {
    accepted: count - refusals.length,
    reasons: [...new Set(refusals.map(({ reason }) => reason.code))],
  };
}

t.test("of 200 creates at once a balance of 150 pays for 150", async (t) => {
  const issuer = await openIssuer(store, { billing: { mode: "prepaid", credits: 150 } });
  t.strictSame(await rush(issuer, 200), { accepted: 150, reasons: ["insufficient_credits"] });
  t.strictSame(await issuer.balance(), { mode: "prepaid", credits: 0 });
  const { total } = await issuer.passes.list(issuer.tenantId, {}, { page: 1, pageSize: 1 });
  t.equal(total, 150);
});

t.test("of 200 creates at once a contract's cap of 150 lets 150 through", async (t) => {
  const issuer = await openIssuer(store, { billing: { mode: "contract", monthlyCap: 150 } });
  t.strictSame(await rush(issuer, 200), { accepted: 150, reasons: ["contract_cap_reached"] });
  t.strictSame(await issuer.balance(), { mode: "contract", monthlyCap: 150, usedThisMonth: 150 });
});

t.test("a contract's cap counts anew with the first millisecond of a month, UTC", async (t) => {
  clock.setTo("2026-11-30T23:59:59.999Z");
  const issuer = await openIssuer(store, { billing: { mode: "contract", monthlyCap: 1 } });
  await issuer.create();
  await t.rejects(issuer.create(), { code: "contract_cap_reached" });
  clock.forward(1);
  t.strictSame(await issuer.balance(), { mode: "contract", monthlyCap: 1, usedThisMonth: 0 });
  await issuer.create();
  await t.rejects(issuer.create(), { code: "contract_cap_reached" });
  clock.setTo("2027-11-30T12:00:00.000Z");
  t.strictSame(await issuer.balance(), { mode: "contract", monthlyCap: 1, usedThisMonth: 0 }, "a year later");
});

t.test("a pass that fails everywhere is given back to the month that it was counted in", async (t) => {
  clock.setTo("2026-11-30T23:59:00.000Z");
  const billing = { mode: "contract", monthlyCap: 2 } as const;
  const issuer = await openIssuer(store, { billing, wallets: ["apple"] });
  await issuer.create();
  clock.setTo("2026-12-01T00:01:00.000Z");
  await issuer.create({ externalRef: "december" });
  const queue = await openQueue(store);
  const [november] = await claimOf(queue, issuer);
  if (november === undefined) throw new Error("there is no work");
  await settle(store, november, failed("provider_rejected"));
  t.match(await issuer.balance(), { usedThisMonth: 1 }, "December's count is untouched");
  clock.setTo("2026-11-30T23:59:00.000Z");
  t.match(await issuer.balance(), { usedThisMonth: 0 }, "November's went down");
});
