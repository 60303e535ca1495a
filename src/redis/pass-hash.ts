import type { Failure } from "../domain/jobs/work.ts";
import type { Pass, PassMessage, PassStatus, ProviderEntry, ProviderStatus } from "../domain/passes/pass.ts";
import type { WalletKey } from "../domain/templates/template.ts";

/** What never changes after the creation. In one field: many small fields are what a store of many passes is made of. */
type FixedFacts = Pick<Pass, "intent" | "externalRef" | "pageToken" | "authenticationToken">;

/** A pass's hash fields at its creation, but for those that the script itself writes. */
export function createdFields(pass: Pass, fingerprint: string): (string | number)[] {
  const fixed: FixedFacts = {
    intent: pass.intent,
    externalRef: pass.externalRef,
    pageToken: pass.pageToken,
    authenticationToken: pass.authenticationToken,
  };
  return [
    ...["fixed", JSON.stringify(fixed), "fingerprint", fingerprint, "status", pass.status],
    ...["created_job", pass.jobId, "created_at", pass.createdAtMs, "revision", pass.revision],
    ...changedFields(pass),
  ];
}

/** The fields that every accepted operation writes. */
export function changedFields(pass: Pass): (string | number)[] {
  const entries = Object.entries(pass.providers) as [WalletKey, ProviderEntry][];
  return [
    ...["data", JSON.stringify(pass.data), "version", pass.version],
    ...["template", pass.templateId, "template_version", pass.templateVersion],
    ...["job", pass.jobId, "updated_at", pass.updatedAtMs],
    ...["version_job", pass.versionJobId, "version_at", pass.versionAtMs],
    ...entries.flatMap(([wallet, entry]) => [wallet, entry.status, `${wallet}:at`, entry.updatedAtMs]),
  ];
}

export function passFromHash(tenantId: string, id: string, hash: Record<string, string>): Pass | null {
  if (hash.fixed === undefined) return null;
  const providers: Pass["providers"] = {};
  for (const wallet of (hash.wallets ?? "").split(" ") as WalletKey[]) {
    providers[wallet] = providerEntry(wallet, hash);
  }
  return {
    id,
    tenantId,
    templateId: hash.template ?? "",
    templateVersion: Number(hash.template_version),
    ...(JSON.parse(hash.fixed) as FixedFacts),
    data: JSON.parse(hash.data ?? "{}"),
    status: hash.status as PassStatus,
    version: Number(hash.version),
    versionJobId: hash.version_job ?? "",
    versionAtMs: Number(hash.version_at),
    revision: Number(hash.revision),
    message: hash.message === undefined ? null : (JSON.parse(hash.message) as PassMessage),
    providers,
    jobId: hash.job ?? "",
    createdAtMs: Number(hash.created_at),
    updatedAtMs: Number(hash.updated_at),
  };
}

function providerEntry(wallet: WalletKey, hash: Record<string, string>): ProviderEntry {
  const status = hash[wallet] as ProviderStatus;
  // An error belongs to a failure; while a later operation is under way it is history.
  const error = status === "failed" ? hash[`${wallet}:error`] : undefined;
  return {
    status,
    saveLink: hash[`${wallet}:link`] ?? null,
    error: error === undefined ? null : (JSON.parse(error) as Failure),
    updatedAtMs: Number(hash[`${wallet}:at`]),
  };
}
