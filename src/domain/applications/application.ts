import type { Page, PageRequest } from "../page.ts";

export const scopes = [
  "passes:read",
  "passes:write",
  "templates:read",
  "templates:write",
  "messages:read",
  "messages:write",
  "webhooks:write",
  "analytics:read",
] as const;
export type Scope = (typeof scopes)[number];

/** What an application of each type may be granted. */
export const scopesOf = {
  backend: scopes,
  issuer: ["passes:read", "passes:write", "templates:read", "messages:read", "messages:write"],
  reporting: ["passes:read", "templates:read", "messages:read", "analytics:read"],
} as const satisfies Record<string, readonly Scope[]>;

export type ApplicationType = keyof typeof scopesOf;
export const applicationTypes = Object.keys(scopesOf) as ApplicationType[];

export type ApplicationStatus = "active" | "disabled";

/**
 * An Argon2id hash in PHC string format; the older of two stops working at `expiresAtMs`. `hint` is the
 * secret's keyed checksum: it tells which of two hashes to try, so that every attempt costs exactly one.
 */
export type StoredSecret = { hash: string; hint: string; createdAtMs: number; expiresAtMs: number | null };

export type Application = {
  id: string;
  tenantId: string;
  name: string;
  type: ApplicationType;
  status: ApplicationStatus;
  /** One or two, newest first. */
  secrets: StoredSecret[];
  createdAtMs: number;
};

export type ApplicationStore = {
  create(application: Application): Promise<void>;
  /** Found by its own id alone: OAuth clients do not name a tenant. */
  find(id: string): Promise<Application | null>;
  /** Newest first. */
  list(tenantId: string, page: PageRequest): Promise<Page<Application>>;
  /** `gone`: the tenant has no such application. */
  setStatus(
    application: Pick<Application, "tenantId" | "id">,
    status: ApplicationStatus,
  ): Promise<"changed" | "same" | "gone">;
  /** Writes `secrets`, unless they are no longer those that `application` was read with (`outdated`). */
  replaceSecrets(
    application: Pick<Application, "tenantId" | "id" | "secrets">,
    secrets: readonly StoredSecret[],
  ): Promise<"replaced" | "outdated" | "gone">;
};

/** Hashes and verifies secrets with Argon2id. Both are slow on purpose, and bounded in number at a time. */
export type SecretHasher = {
  hash(secret: string): Promise<string>;
  /** A null hash stands for nobody: it costs the same and never matches. Rejects with `unavailable` when too many wait. */
  verify(hash: string | null, secret: string): Promise<boolean>;
};
