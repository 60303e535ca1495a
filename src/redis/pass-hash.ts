import type { Failure } from "../domain/jobs/work.ts";
import type { Pass, PassMessage, PassStatus, ProviderEntry, ProviderStatus } from "../domain/passes/pass.ts";
import type { Intent, WalletKey } from "../domain/templates/template.ts";
import { fromPieces, inPieces } from "./long-values.ts";
import { packLink, unpackLink } from "./save-links.ts";

/** A pass's hash as it is read: links are bytes. */
export type PassHash = Readonly<Record<string, Buffer>>;

/** What never changes after the creation, in one field. */
type FixedFacts = [intent: Intent, externalRef: string, pageToken: string, authenticationToken: string];

type Fields = (string | number | Buffer)[];

/**
 * A pass's hash fields at its creation, but for those that the script itself writes. What is not there is as it was at the
 * creation: most passes never change.
 */
export function createdFields(pass: Pass, fingerprint: string): Fields {
  const fixed: FixedFacts = [pass.intent, pass.externalRef, pass.pageToken, pass.authenticationToken];
  return [
    ...inPieces("fixed", JSON.stringify(fixed)),
    ...["fingerprint", fingerprint, "status", pass.status],
    ...["created_at", pass.createdAtMs, "revision", pass.revision],
    ...presentFields(pass),
  ];
}

/** The fields that every later operation writes. */
export function changedFields(pass: Pass): Fields {
  const ofVersion = pass.versionJobId === pass.jobId ? "" : pass.versionJobId;
  return [
    ...presentFields(pass),
    ...["updated_at", pass.updatedAtMs, "version_job", ofVersion, "version_at", pass.versionAtMs],
  ];
}

function presentFields(pass: Pass): Fields {
  const entries = Object.entries(pass.providers) as [WalletKey, ProviderEntry][];
  return [
    ...inPieces("data", JSON.stringify(pass.data)),
    ...["version", pass.version, "job", pass.jobId],
    ...["template", pass.templateId, "template_version", pass.templateVersion],
    ...entries.flatMap(([wallet, entry]) => [wallet, entry.status, `${wallet}:at`, entry.updatedAtMs]),
  ];
}

/** The fields in which a wallet's answer is kept. */
export function linkFields(wallet: string, saveLink: string, testOnly = false): (string | Buffer)[] {
  return [...inPieces(`${wallet}:link`, packLink(saveLink)), ...(testOnly ? [`${wallet}:test`, "1"] : [])];
}

export function errorFields(wallet: string, failure: Failure): (string | Buffer)[] {
  return inPieces(`${wallet}:error`, JSON.stringify(failure));
}

/** `message` is the one that the hash's field of that name names. */
export function passFromHash(
  names: { tenantId: string; id: string },
  hash: PassHash,
  message: PassMessage | null,
): Pass | null {
  const fixed = fromPieces(hash, "fixed");
  if (fixed === undefined) return null;
  const [intent, externalRef, pageToken, authenticationToken] = JSON.parse(fixed.toString()) as FixedFacts;
  const text = (name: string): string => hash[name]?.toString() ?? "";
  const number = (name: string): number => Number(text(name));
  const createdAtMs = number("created_at");
  const providers: Pass["providers"] = {};
  for (const wallet of text("wallets").split(" ") as WalletKey[]) {
    providers[wallet] = providerEntry(wallet, hash);
  }
  return {
    ...names,
    templateId: text("template"),
    templateVersion: number("template_version"),
    intent,
    externalRef,
    pageToken,
    authenticationToken,
    data: JSON.parse(fromPieces(hash, "data")?.toString() ?? "{}"),
    status: text("status") as PassStatus,
    version: number("version"),
    versionJobId: text("version_job") || text("job"),
    versionAtMs: number("version_at") || createdAtMs,
    revision: number("revision"),
    message,
    providers,
    jobId: text("job"),
    change: number("change"),
    modifiedAtMs: 1000 * (number("modified") || Math.floor(createdAtMs / 1000)),
    createdAtMs,
    updatedAtMs: number("updated_at") || createdAtMs,
  };
}

/** The job that created a pass, and the wallets that it was created for. */
export function creationOf(hash: PassHash): { jobId: string; wallets: WalletKey[] } {
  const wallets = (hash.created_wallets ?? hash.wallets ?? "").toString();
  return {
    jobId: (hash.created_job ?? hash.job ?? "").toString(),
    wallets: wallets.split(" ") as WalletKey[],
  };
}

function providerEntry(wallet: WalletKey, hash: PassHash): ProviderEntry {
  const status = hash[wallet]?.toString() as ProviderStatus;
  const link = fromPieces(hash, `${wallet}:link`);
  // An error belongs to a failure; while a later operation is under way it is history.
  const error = status === "failed" ? fromPieces(hash, `${wallet}:error`) : undefined;
  return {
    status,
    saveLink: link === undefined ? null : unpackLink(link),
    ...(hash[`${wallet}:test`] !== undefined && { testOnly: true }),
    error: error === undefined ? null : (JSON.parse(error.toString()) as Failure),
    updatedAtMs: Number(hash[`${wallet}:at`]?.toString()),
  };
}
