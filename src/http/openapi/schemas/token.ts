import { scopes } from "../../../domain/applications/application.ts";
import { mostPublishedKeys } from "../../../domain/signing-keys/signing-key.ts";
import { choice, described, integer, record, text, uri, uuid } from "./scalars.ts";

const scopeText = {
  type: "string",
  maxLength: 255,
  pattern: "^[!#-\\[\\]-~]+( [!#-\\[\\]-~]+)*$",
} as const;

const grantType = { type: "string", const: "client_credentials" } as const;
const secret = described("Shown once, when the operator made the application.", {
  type: "string",
  format: "password",
  minLength: 1,
  maxLength: 255,
});
const scope = described(
  "A subset of what the application's type grants; without it, all of that.",
  scopeText,
);

export const tokenRequestSchema = {
  ...record(
    "TokenRequest",
    {
      tenant_id: uuid,
      application_id: uuid,
      application_secret: secret,
      grant_type: grantType,
      scope,
    },
    { optional: ["scope"] },
  ),
  additionalProperties: false,
};

export const tokenRequestCamelSchema = {
  ...record(
    "TokenRequestCamelCase",
    {
      tenantId: uuid,
      applicationId: uuid,
      clientSecret: secret,
      grantType: described("Required, unless grant_type is given.", grantType),
      grant_type: described("Required, unless grantType is given.", grantType),
      scope,
    },
    { optional: ["scope", "grantType", "grant_type"], description: "The same with the other spelling." },
  ),
  additionalProperties: false,
};

/** RFC 6749 sections 2.3.1 and 4.4.2; the tenant follows from the application. */
export const tokenFormSchema = record(
  "TokenForm",
  {
    grant_type: grantType,
    client_id: described("The application's id, unless HTTP Basic says it.", uuid),
    client_secret: described("Its secret, unless HTTP Basic says it.", secret),
    scope,
  },
  { optional: ["client_id", "client_secret", "scope"] },
);

export const tokenSchema = record("TokenResponse", {
  access_token: {
    type: "string",
    pattern: "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$",
    maxLength: 8192,
    description: "A JWT of type at+jwt (RFC 9068), signed with RS256.",
  },
  token_type: { type: "string", const: "Bearer" },
  expires_in: described("Whole seconds left.", integer(1, 3600)),
  expires_at: described("Unix seconds.", integer(0)),
  scope: described("What was granted, separated by spaces.", scopeText),
});

const base64url = (maxLength: number) => ({ type: "string", pattern: "^[A-Za-z0-9_-]+$", maxLength });

export const keySetSchema = record("JsonWebKeySet", {
  keys: {
    type: "array",
    minItems: 1,
    maxItems: mostPublishedKeys,
    items: record("JsonWebKey", {
      kty: { type: "string", const: "RSA" },
      use: { type: "string", const: "sig" },
      alg: { type: "string", const: "RS256" },
      kid: described("The key's RFC 7638 thumbprint.", base64url(43)),
      n: base64url(1024),
      e: base64url(16),
    }),
  },
});

export const serverMetadataSchema = record("AuthorizationServerMetadata", {
  issuer: uri,
  token_endpoint: uri,
  jwks_uri: uri,
  scopes_supported: { type: "array", maxItems: 100, items: choice(scopes) },
  response_types_supported: { type: "array", maxItems: 0, items: text(100) },
  grant_types_supported: { type: "array", maxItems: 10, items: choice(["client_credentials"]) },
  token_endpoint_auth_methods_supported: {
    type: "array",
    maxItems: 10,
    items: choice(["client_secret_basic", "client_secret_post"]),
  },
});
