import type { Scope } from "../applications/application.ts";

/** An access token's claims (RFC 9068) as this service reads them. */
export type AccessClaims = {
  tenantId: string;
  applicationId: string;
  scopes: readonly Scope[];
  /** Unix seconds. */
  expiresAt: number;
};

export const accessTokenLifetimeSeconds = 3600;

export type AccessTokens = {
  /** A signed JWT, `typ` at+jwt, RS256, with the active key. `issuedAt` and `expiresAt` in Unix seconds. */
  sign(claims: AccessClaims & { issuedAt: number; id: string }): Promise<string>;
  /** The claims of a valid token; otherwise rejects with invalid_token. */
  verify(token: string): Promise<AccessClaims>;
};
