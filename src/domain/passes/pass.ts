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
