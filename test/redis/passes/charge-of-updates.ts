import t from "tap";
import { revokePass } from "../../../src/domain/passes/revoke.ts";
import { updatePass } from "../../../src/domain/passes/update.ts";
import type { Billing } from "../../../src/domain/tenants/tenant.ts";
import { openIssuer, passOf } from "../../support/issuer.ts";
import { openStore } from "../../support/store.ts";
import { claimOf, completed, failed, openQueue, settle } from "../../support/work.ts";

const store = await openStore(t);
const request = { idempotency: null, workClass: "interactive", traceId: "t" } as const;

/** A pass that failed in both wallets. */
async function failedPass(billing: Billing) {
  const issuer = await openIssuer(store, { billing });
  const queue = await openQueue(store);
  const { id } = passOf(await issuer.create({ externalRef: "one" }));
  const finish = async (outcome: typeof completed) => {
    for (const task of await claimOf(queue, issuer)) await settle(store, task, outcome);
  };
  await finish(failed("provider_rejected"));
  const { tenantId } = issuer;
  return {
    issuer,
    finish,
    update: () => updatePass(issuer, { ...request, tenantId, name: { passId: id }, data: {} }),
    revoke: () => revokePass(issuer, { ...request, tenantId, name: { passId: id } }),
    pass: () => issuer.passes.find(tenantId, id),
  };
}

t.test("an update that brings a failed pass to life is paid for, once", async (t) => {
  const { issuer, update, finish, pass } = await failedPass({ mode: "prepaid", credits: 5 });
  t.strictSame(await issuer.balance(), { mode: "prepaid", credits: 5 }, "it gave its credit back");
  await update();
  t.strictSame(await issuer.balance(), { mode: "prepaid", credits: 4 });
  await update();
  t.strictSame(await issuer.balance(), { mode: "prepaid", credits: 4 }, "the pass is paid for");
  await finish(completed);
  t.match(await pass(), { status: "active", version: 3 });
  t.strictSame(await issuer.balance(), { mode: "prepaid", credits: 4 });
});

t.test("an update that fails everywhere again gives its credit back again", async (t) => {
  const { issuer, update, finish } = await failedPass({ mode: "prepaid", credits: 5 });
  await update();
  await finish(failed("provider_rejected"));
  t.strictSame(await issuer.balance(), { mode: "prepaid", credits: 5 });
});

t.test("without a credit a failed pass stays failed, and nothing of the update is written", async (t) => {
  const { issuer, update, revoke, pass } = await failedPass({ mode: "prepaid", credits: 1 });
  await issuer.create();
  await t.rejects(update(), { code: "insufficient_credits", shortage: { required: 1, balance: 0 } });
  t.match(await pass(), { status: "failed", version: 1, revision: 1 });
  await revoke();
  t.match(await pass(), { status: "revoking" }, "a revocation costs nothing");
});

t.test("under a contract it counts against the month of the update", async (t) => {
  const { issuer, update } = await failedPass({ mode: "contract", monthlyCap: 1 });
  await update();
  await t.rejects(issuer.create(), { code: "contract_cap_reached", shortage: { required: 1, balance: 0 } });
});
