import type { CreditsRefused } from "../credits/refusal.ts";
import type { IdempotencyClaim } from "../idempotency.ts";
import type { WarningCode } from "../jobs/job.ts";
import type { Failure, Task, WorkClass } from "../jobs/work.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Intent, WalletKey } from "../templates/template.ts";

export const passStatuses = [
  "pending",
  "partial",
  "active",
  "updating",
  "revoking",
  "revoked",
  "failed",
] as const;
export type PassStatus = (typeof passStatuses)[number];

export type ProviderStatus = "queued" | "processing" | "completed" | "failed" | "revoked";

/** How far one wallet is with a pass. */
export type ProviderEntry = {
  status: ProviderStatus;
  /** A URL, or a path below the base URL. */
  saveLink: string | null;
  /** Only the issuer's test accounts can save it with that link. */
  testOnly?: boolean;
  error: { code: string; description: string } | null;
  updatedAtMs: number;
};

export type PassMessage = { id: string; header: string; body: string; at: number };

/** Values by field key, as the caller gave them; the template's defaults are not among them. */
export type PassData = Record<string, string>;

/** One accepted state of a pass's data. */
export type PassVersion = {
  version: number;
  change: "created" | "updated";
  data: PassData;
  jobId: string;
  createdAtMs: number;
};

export type Pass = {
  id: string;
  tenantId: string;
  templateId: string;
  templateVersion: number;
  intent: Intent;
  externalRef: string;
  data: PassData;
  status: PassStatus;
  /** Starts at 1; each update adds one. */
  version: number;
  /** The job and the instant of that version. */
  versionJobId: string;
  versionAtMs: number;
  /** Counts every accepted operation, revocations included: the newest of them wins. */
  revision: number;
  providers: Partial<Record<WalletKey, ProviderEntry>>;
  /** The job of the latest accepted operation. */
  jobId: string;
  /** The latest message to it, which a wallet without a call for messages shows as a part of the pass. */
  message: PassMessage | null;
  /** Addresses the public page; 128 random bits at least, says nothing. */
  pageToken: string;
  /** Apple's authenticationToken: made once, and never changed, since installed copies keep it. */
  authenticationToken: string;
  /** The number of the latest change that devices are to fetch, see domain/devices; 0: it is as it was made. */
  change: number;
  /** When that was, in whole seconds, later with each; it may run ahead of the clock. */
  modifiedAtMs: number;
  createdAtMs: number;
  updatedAtMs: number;
};

/** From the moment of the revocation, whatever the wallets still have to do. */
export function isRevoked({ status }: Pick<Pass, "status">): boolean {
  return status === "revoking" || status === "revoked";
}

/** `body` is the JSON of the 202; `replayed` when it answers a repeat of an earlier request. */
export type AcceptedPass = { body: string; passId: string; jobId: string; replayed: boolean };

/** What every accepted operation on a pass brings along. */
type Accepted = {
  workClass: WorkClass;
  traceId: string;
  idempotency: IdempotencyClaim | null;
  /** The response to keep for repeats with the same Idempotency-Key. */
  response: string;
};

/** A pass as it is accepted, with everything that is written in the same step. */
export type PassCreation = Accepted & {
  pass: Pass;
  /** SHA-256 over template, intent and data: tells a repeat from a conflict. */
  fingerprint: string;
  event: { id: string; webhookBody: string };
  /** The batch whose reservation pays for it; null: the tenant's own credits. */
  reservedBy: string | null;
};

/** Same external_ref, and the same template, intent and data, as a pass that lives: its first job and wallets. */
export type RepeatedCreation = { outcome: "repeated"; pass: Pass; jobId: string; wallets: WalletKey[] };

export type CreateOutcome =
  | { outcome: "created" }
  /** The same Idempotency-Key with the same body was here before; its response, byte for byte. */
  | { outcome: "replayed"; response: string }
  | RepeatedCreation
  | { outcome: "key_reused" }
  | { outcome: "duplicate_external_ref" }
  | CreditsRefused;

/** An update or a revocation, on top of exactly the state that was read. */
export type PassChange = Accepted & {
  kind: "update" | "revoke";
  before: Pass;
  after: Pass;
  event: { id: string; type: "pass.updated" | "pass.revoked"; webhookBody: string };
  /** What the job is to say of a wallet; nothing where it is absent. */
  warnings?: PassWarnings;
};

export type PassWarnings = Partial<Record<WalletKey, WarningCode>>;

export type ChangeOutcome =
  | { outcome: "replayed"; response: string }
  | { outcome: "accepted" | "key_reused" | "not_found" | "invalid_state" }
  | CreditsRefused
  /** Somebody else changed the pass since it was read. */
  | { outcome: "outdated" };

export type PassFilter = { status?: PassStatus; externalRef?: string };

export type PassStore = {
  create(creation: PassCreation): Promise<CreateOutcome>;
  /** What `create` would answer for a repeat; null where it is none. */
  findRepeated(
    creation: Pick<Pass, "tenantId" | "externalRef"> & { fingerprint: string },
  ): Promise<RepeatedCreation | null>;
  change(change: PassChange): Promise<ChangeOutcome>;
  find(tenantId: string, passId: string): Promise<Pass | null>;
  findByExternalRef(tenantId: string, externalRef: string): Promise<Pass | null>;
  findByPageToken(pageToken: string): Promise<Pass | null>;
  /** Newest first. */
  list(tenantId: string, filter: PassFilter, page: PageRequest): Promise<Page<Pass>>;
  /** Newest first; null when there is no such pass. */
  versions(tenantId: string, passId: string, page: PageRequest): Promise<Page<PassVersion> | null>;
};

export type PassOutcome =
  | { outcome: "completed" | "revoked"; saveLink: string; testOnly?: boolean }
  /** `bury`: keep a dead letter, since trying again later may help. */
  | { outcome: "failed"; failure: Failure; bury: boolean }
  /** A newer operation has been accepted meanwhile: its own job brings the wallet up to date. */
  | { outcome: "overtaken" };

/** What became of one wallet's part of a pass operation. */
export type PassWork = {
  /**
   * Writes the outcome to the pass and its job in one step, and lets what waited behind it begin. `revision` is the
   * one that the work was done for. False: the lease was lost, nothing was written.
   */
  settle(task: Task, revision: number, outcome: PassOutcome, event: { id: string }): Promise<boolean>;
  /** Puts a failed attempt off, unless something newer waits: then that begins. */
  retryLater(task: Task, failure: Failure, dueAtMs: number): Promise<"retry" | "overtaken" | "lost">;
  /** The same for an attempt that does not count: the wallet takes it when its turn comes. */
  lineUp(task: Task, dueAtMs: number): Promise<"in_line" | "overtaken" | "lost">;
};
