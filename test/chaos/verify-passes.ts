import { type Finding, get, getAll, inParallel } from "./finding.ts";
import { type LedgerPass, sameData } from "./ledger.ts";
import { factOf } from "./receiver.ts";

/** Each accepted pass is there once, as its latest version says, with every version behind it, and no other is there. */
export async function verifyPasses(finding: Finding): Promise<void> {
  const { ledger, problems } = finding;
  const listed = await getAll(finding, "/api/v1/passes");
  const byRef = Map.groupBy(listed, ({ external_ref }) => external_ref as string);
  for (const [ref, found] of byRef) {
    if (found.length > 1) problems.push(`${ledger.name}: ${found.length} passes bear ${ref}`);
    if (!ledger.passes.has(ref)) problems.push(`${ledger.name}: nobody was promised the pass ${ref}`);
  }
  await inParallel(ledger.passes.values(), async (pass) => {
    const found =
      byRef.get(pass.ref)?.[0] ?? (pass.id !== null && (await get(finding, `/api/v1/passes/${pass.id}`)));
    if (found) await verifyPass(finding, pass, found);
    else problems.push(`${ledger.name}: the pass ${pass.ref} is lost`);
  });
}

async function verifyPass(
  finding: Finding,
  pass: LedgerPass,
  found: ReturnType<typeof JSON.parse>,
): Promise<void> {
  const { ledger, problems, facts, jobs } = finding;
  const about = `${ledger.name}: ${pass.ref} (${found.id})`;
  const newest = Math.max(...pass.versions.keys());
  const promised = pass.versions.get(newest);
  if (pass.id !== null && found.id !== pass.id) problems.push(`${about} was promised as ${pass.id}`);
  if (newest !== pass.versions.size)
    problems.push(`${about}: versions ${[...pass.versions.keys()]} are not contiguous`);
  if (found.version !== newest)
    problems.push(`${about} is at version ${found.version}, and should be at ${newest}`);
  if (promised === undefined || !sameData(found.data, promised.data)) {
    problems.push(
      `${about} has ${JSON.stringify(found.data)}, and should have ${JSON.stringify(promised?.data)}`,
    );
  }
  const providers: { error?: object }[] = Object.values(found.providers);
  const settled = pass.revoked === null ? "active" : "revoked";
  const hasReason = providers.some(({ error }) => error !== undefined);
  if (found.status !== settled && !hasReason)
    problems.push(`${about} is ${found.status}, and should be ${settled}`);

  // Of most passes the answer to their creation told all that there is to know.
  const only = newest === 1 && found.version === 1 ? pass.versions.get(1)?.jobId : undefined;
  const versions =
    typeof only === "string"
      ? [{ version: 1, data: found.data, job_id: only }]
      : await getAll(finding, `/api/v1/passes/${found.id}/versions`);
  const numbers = versions.map(({ version }) => version);
  if (numbers.some((number, i) => number !== versions.length - i))
    problems.push(`${about} has the versions ${numbers}`);
  for (const { version, data, job_id } of versions) {
    const { data: wanted, jobId } = pass.versions.get(version) ?? { data: {}, jobId: null };
    if (!sameData(data, wanted)) problems.push(`${about}: version ${version} is not what was accepted`);
    if (jobId !== null && jobId !== job_id) problems.push(`${about}: version ${version} has another job`);
    jobs.add(job_id);
  }
  for (const { jobId } of pass.versions.values()) if (jobId !== null) jobs.add(jobId);
  // The latest operation's, which may have been the revocation.
  jobs.add(found.job_id);

  for (const version of pass.versions.keys()) {
    facts.add(factOf(version === 1 ? "pass.created" : "pass.updated", { id: found.id, version }));
  }
  if (pass.revoked !== null) facts.add(factOf("pass.revoked", { id: found.id }));
}
