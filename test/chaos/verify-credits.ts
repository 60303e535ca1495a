import { ledgerComplaints } from "../support/ledger.ts";
import { type Finding, getAll } from "./finding.ts";
import { keys } from "./settled.ts";

/** Every pass that came to life is paid for, once; nothing else is, and the ledger says so. */
export async function verifyCredits(finding: Finding): Promise<void> {
  const { ledger, installation, problems } = finding;
  const { mode, credits } = ledger.funds;
  const tenantId = ledger.credentials.tenant_id;
  const passes = await getAll(finding, "/api/v1/passes");
  const paid = passes.filter(({ status, providers }) => {
    const links = Object.values<{ save_link?: string }>(providers).filter(({ save_link }) => save_link);
    return status !== "failed" || links.length > 0;
  });
  // From the store, since the command shows a contract's present month only, and a run may see two.
  const record = await installation.store.hgetall(keys.credits(tenantId));
  const used = Object.entries(record).filter(([field]) => field.startsWith("used:"));
  const spent =
    mode === "prepaid"
      ? credits - Number(record.balance)
      : used.reduce((sum, [, passesOfMonth]) => sum + Number(passesOfMonth), 0);
  if (spent !== paid.length) {
    problems.push(`${ledger.name}: ${spent} credits were taken for ${paid.length} passes`);
  }
  const complaints = await ledgerComplaints({ connection: installation.store, keys }, tenantId);
  problems.push(...complaints.map((complaint) => `${ledger.name}: ${complaint}`));
}
