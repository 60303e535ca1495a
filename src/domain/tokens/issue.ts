import {
  type Application,
  type ApplicationStore,
  type Scope,
  type SecretHasher,
  scopesOf,
} from "../applications/application.ts";
import { hasSecretShape, isWellFormedSecret, secretHint } from "../applications/secret.ts";
import type { Clock } from "../clock.ts";
import { PasswrightError } from "../errors.ts";
import { type Ids, isUuid } from "../ids.ts";
import type { TenantStore } from "../tenants/tenant.ts";
import { type AccessTokens, accessTokenLifetimeSeconds } from "./token.ts";

export type TokenRequest = {
  /** null: OAuth clients name only the application, the tenant follows from it. */
  tenantId: string | null;
  applicationId: string;
  secret: string;
  /** null: all that the application's type grants. */
  scope: string | null;
};

export type IssuedToken = { accessToken: string; expiresIn: number; expiresAt: number; scope: string };

type Deps = {
  tenants: TenantStore;
  applications: ApplicationStore;
  hasher: SecretHasher;
  peppers: readonly Buffer[];
  accessTokens: AccessTokens;
  ids: Ids;
  clock: Clock;
};

/**
 * Exchanges an application's secret for an access token (RFC 6749 section 4.4).
 * The secret comes first, and an unknown tenant or application costs one hash as well, so that neither the
 * answer nor its time tells strangers who exists: 401 invalid_client. Only who knows the secret learns that the tenant is
 * suspended (401 invalid_client) or the application disabled (403 unauthorized_client).
 */
export async function issueToken(deps: Deps, request: TokenRequest): Promise<IssuedToken> {
  const application = await authenticate(deps, request);
  const tenant = await deps.tenants.find(application.tenantId);
  if (tenant === null || tenant.status === "deleting") throw invalidClient();
  if (tenant.status !== "active") {
    throw new PasswrightError("invalid_client", "The tenant is suspended. Contact the operator.");
  }
  if (application.status !== "active") {
    throw new PasswrightError("unauthorized_client", "The application is disabled. Contact the operator.");
  }
  const scopes = grantedScopes(application, request.scope);
  const nowMs = deps.clock.nowMs();
  const issuedAt = Math.floor(nowMs / 1000);
  const expiresAt = issuedAt + accessTokenLifetimeSeconds;
  const accessToken = await deps.accessTokens.sign({
    id: deps.ids.uuid(),
    tenantId: tenant.id,
    applicationId: application.id,
    scopes,
    issuedAt,
    expiresAt,
  });
  return {
    accessToken,
    // 3600, or 3599 where a second has begun already; not less for the time that signing took.
    expiresIn: Math.floor(expiresAt - nowMs / 1000),
    expiresAt,
    scope: scopes.join(" "),
  };
}

async function authenticate(deps: Deps, request: TokenRequest): Promise<Application> {
  if (!hasSecretShape(request.secret)) throw invalidClient();
  const found = isUuid(request.applicationId) ? await deps.applications.find(request.applicationId) : null;
  const application =
    found !== null && (request.tenantId === null || request.tenantId === found.tenantId) ? found : null;
  const nowMs = deps.clock.nowMs();
  const hint = secretHint(request.secret);
  const candidate = application?.secrets.find(
    (stored) => stored.hint === hint && (stored.expiresAtMs === null || stored.expiresAtMs > nowMs),
  );
  // The master key behind a checksum may have been replaced since: then the one that is stored says that it is no garbage.
  if (candidate === undefined && !isWellFormedSecret(request.secret, deps.peppers)) throw invalidClient();
  const matches = await deps.hasher.verify(candidate?.hash ?? null, request.secret);
  if (matches && candidate !== undefined && application !== null) return application;
  throw invalidClient();
}

function grantedScopes(application: Application, asked: string | null): readonly Scope[] {
  const allowed: readonly Scope[] = scopesOf[application.type];
  if (asked === null || asked.trim() === "") return allowed;
  const wanted = new Set(asked.trim().split(/ +/));
  const granted = allowed.filter((scope) => wanted.delete(scope));
  if (wanted.size > 0) {
    // RFC 6749 section 5.2 keeps error_description to a subset of ASCII, so what was asked is not echoed.
    throw new PasswrightError(
      "invalid_scope",
      `An application of type ${application.type} can be granted: ${allowed.join(" ")}.`,
    );
  }
  return granted;
}

function invalidClient(): PasswrightError {
  return new PasswrightError(
    "invalid_client",
    "Unknown tenant or application, or wrong secret. Check the three values together.",
  );
}
