import type { IdempotencyClaim } from "../idempotency.ts";
import type { Failure, Task } from "../jobs/work.ts";
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
  saveLink: string | null;
  error: { code: string; description: string } | null;
  updatedAtMs: number;
};

/** Values by field key, as the caller gave them; the template's defaults are not among them. */
export type PassData = Record<string, string>;

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
  providers: Partial<Record<WalletKey, ProviderEntry>>;
  /** The job of the latest accepted operation. */
  jobId: string;
  /** Addresses the public page; 128 random bits at least, says nothing. */
  pageToken: string;
  /** Apple's authenticationToken: made once, and never changed, since installed copies keep it. */
  authenticationToken: string;
  createdAtMs: number;
  updatedAtMs: number;
};

/** A pass as it is accepted, with everything that is written in the same step. */
export type PassCreation = {
  pass: Pass;
  /** SHA-256 over template, intent and data: tells a repeat from a conflict. */
  fingerprint: string;
  traceId: string;
  event: { id: string; webhookBody: string };
  idempotency: IdempotencyClaim | null;
  /** The response to keep for repeats with the same Idempotency-Key. */
  response: string;
};

export type CreateOutcome =
  | { outcome: "created" }
  /** The same Idempotency-Key with the same body was here before; its response, byte for byte. */
  | { outcome: "replayed"; response: string }
  /** Same external_ref, and the same template, intent and data, as a pass that lives. */
  | { outcome: "repeated"; pass: Pass; jobId: string }
  | { outcome: "key_reused" }
  | { outcome: "duplicate_external_ref" }
  | { outcome: "insufficient_credits" }
  | { outcome: "contract_cap_reached" };

export type PassFilter = { status?: PassStatus; externalRef?: string };

export type PassStore = {
  create(creation: PassCreation): Promise<CreateOutcome>;
  find(tenantId: string, passId: string): Promise<Pass | null>;
  findByPageToken(pageToken: string): Promise<Pass | null>;
  /** Newest first. */
  list(tenantId: string, filter: PassFilter, page: PageRequest): Promise<Page<Pass>>;
};

export type PassOutcome =
  | { outcome: "completed"; saveLink: string }
  /** `bury`: keep a dead letter, since trying again later may help. */
  | { outcome: "failed"; failure: Failure; bury: boolean }
  /** A newer version has been accepted meanwhile: its own job brings the wallet up to date. */
  | { outcome: "overtaken" };

/** What became of one wallet's part of a pass operation. */
export type PassWork = {
  /**
   * Writes the outcome to the pass and its job in one step. `version` is the version that the work was done for.
   * False: the lease was lost, nothing was written.
   */
  settle(task: Task, version: number, outcome: PassOutcome, event: { id: string }): Promise<boolean>;
};
