import { scopesOf } from "../../../domain/applications/application.ts";
import { baseUrl, ids } from "./ids.ts";

const secret = "<APPLICATION_SECRET>";

export const tokenRequest = {
  tenant_id: ids.tenant,
  application_id: ids.application,
  application_secret: secret,
  grant_type: "client_credentials",
};

export const tokenRequestCamelCase = {
  tenantId: ids.tenant,
  applicationId: ids.application,
  clientSecret: secret,
  grantType: "client_credentials",
};

export const tokenForm = {
  grant_type: "client_credentials",
  client_id: ids.application,
  client_secret: secret,
  scope: "passes:read passes:write",
};

/** With HTTP Basic beside it. */
export const tokenFormForBasic = { grant_type: "client_credentials" };

export const token = {
  access_token:
    "eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJpc3MiOiJodHRwczovL3Bhc3Nlcy5leGFtcGxlLmNvbSJ9.c2lnbmF0dXJl",
  token_type: "Bearer",
  expires_in: 3600,
  expires_at: 1795243426,
  scope: scopesOf.issuer.join(" "),
};

export const keySet = {
  keys: [
    {
      kty: "RSA",
      use: "sig",
      alg: "RS256",
      kid: "Xk9J8mV5b0cQy1r7WnT3sZpL6aGdH2eF4uRoYiB-NqM",
      n: "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc",
      e: "AQAB",
    },
  ],
};

export const serverMetadata = {
  issuer: baseUrl,
  token_endpoint: `${baseUrl}/api/v1/auth/token`,
  jwks_uri: `${baseUrl}/.well-known/jwks.json`,
  scopes_supported: scopesOf.backend,
  response_types_supported: [],
  grant_types_supported: ["client_credentials"],
  token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
};
