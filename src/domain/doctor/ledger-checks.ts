import { listLedger } from "../credits/ledger.ts";
import { fewAtATime } from "../few-at-a-time.ts";
import { type Check, counted, type Finding, failed, ok, warning } from "./check.ts";
import type { Installation } from "./ports.ts";
import { ofTenants, someTenants } from "./some-tenants.ts";

type LedgerNeeds = Pick<Installation, "tenants" | "ledger" | "mostTenants">;

export const ledgers: Check<LedgerNeeds> = {
  name: "ledgers",
  expects: "the movements of each tenant's credits come to its balance, or to what its contract has used",
  only: "deep",
  async look(needs) {
    const sample = await someTenants(needs);
    const findings = await fewAtATime(sample.tenants, ({ id }) => gapsOf(needs, id));
    const gaps = findings.flat();
    return gaps.length > 0 ? gaps : [ok(`No movement is without its entry ${ofTenants(sample)}.`)];
  },
};

async function gapsOf(needs: LedgerNeeds, tenantId: string): Promise<Finding[]> {
  const gaps: Finding[] = [];
  const show = `passwright tenants credits ${tenantId} --ledger`;
  for await (const movement of listLedger(needs, { tenantId, sinceMs: null, untilMs: null })) {
    if (movement.id !== null) continue;
    const amount = counted(Math.abs(movement.amount), "credit");
    if (movement.reason === "missing") {
      gaps.push(
        failed(
          `In the ledger of the tenant ${tenantId} entries about ${amount} are missing.`,
          `Somebody removed them. ${show} shows where; a backup from before has them.`,
        ),
      );
    }
    if (movement.reason === "not_recorded") {
      gaps.push(
        warning(
          `The tenant ${tenantId} has a movement of ${amount} that no entry tells of.`,
          `A release before this one, or a hand in Redis, made it; the next movement writes it down. ${show} shows it.`,
        ),
      );
    }
  }
  return gaps;
}
