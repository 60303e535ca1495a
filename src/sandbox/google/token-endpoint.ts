/**
 * Google's OAuth 2.0 token endpoint for service accounts: the JWT bearer grant (RFC 7523), with the words in
 * which Google refuses (https://developers.google.com/identity/protocols/oauth2/service-account).
 */
import { createPublicKey, verify } from "node:crypto";
import { type Answer, json, type Received } from "../exchange.ts";
import type { Journal } from "../journal.ts";
import type { AccessTokens } from "./access-token.ts";
import { isObject } from "./proto-json.ts";
import type { ServiceAccount } from "./service-accounts.ts";

const walletScope = "https://www.googleapis.com/auth/wallet_object.issuer";
const grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const longestLifetimeSeconds = 3600;
/** How far a client's clock may be ahead. */
const skewSeconds = 60;

export type TokenParts = {
  accounts: Journal<ServiceAccount>;
  tokens: AccessTokens;
  tokenUrl: () => string;
  nowMs: () => number;
};

export function answerTokenRequest(parts: TokenParts, request: Received): Answer {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers["content-type"] ?? "")) {
    return refusal("invalid_request", "Bad Request: the body must be application/x-www-form-urlencoded");
  }
  const form = new URLSearchParams(request.body.toString("utf8"));
  const grant = form.get("grant_type");
  if (grant === null) return refusal("invalid_request", "Required parameter is missing: grant_type");
  if (grant !== grantType) return refusal("unsupported_grant_type", `Invalid grant_type: ${grant}`);
  const assertion = form.get("assertion");
  if (assertion === null) return refusal("invalid_request", "Required parameter is missing: assertion");

  const jwt = decode(assertion);
  if (jwt === undefined) return refusal("invalid_grant", "Invalid JWT: Failed to parse.");
  const account = parts.accounts.get(String(jwt.claims.iss));
  if (account === undefined) return refusal("invalid_grant", "Invalid grant: account not found");
  if (!isSignedBy(account, jwt)) return refusal("invalid_grant", "Invalid JWT Signature.");
  return claimsRefusal(parts, jwt.claims) ?? issued(parts.tokens, account);
}

function claimsRefusal(parts: TokenParts, claims: Record<string, unknown>): Answer | undefined {
  const now = Math.floor(parts.nowMs() / 1000);
  const { iat, exp, aud, sub, iss, scope } = claims;
  if (aud !== parts.tokenUrl()) {
    const right = `The right audience is ${parts.tokenUrl()}`;
    return refusal("invalid_grant", `Invalid JWT: Failed audience check. ${right}`);
  }
  const timely =
    Number.isInteger(iat) &&
    Number.isInteger(exp) &&
    Number(iat) <= now + skewSeconds &&
    Number(exp) > now &&
    Number(exp) - Number(iat) <= longestLifetimeSeconds;
  if (!timely) {
    return refusal(
      "invalid_grant",
      "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. " +
        "Check your iat and exp values in the JWT claim.",
    );
  }
  if (sub !== undefined && sub !== iss) {
    return refusal(
      "unauthorized_client",
      "Client is unauthorized to retrieve access tokens using this method.",
      401,
    );
  }
  if (typeof scope !== "string" || scope.trim() === "") {
    return refusal("invalid_scope", "Invalid OAuth scope or ID token audience provided.");
  }
  if (!scope.split(" ").includes(walletScope)) {
    return refusal("invalid_scope", `Some requested scopes cannot be granted here: only ${walletScope} can.`);
  }
  return undefined;
}

function issued(tokens: AccessTokens, account: ServiceAccount): Answer {
  const { token, expiresInSeconds } = tokens.issue(account.clientEmail);
  return json(
    200,
    { access_token: token, expires_in: expiresInSeconds, token_type: "Bearer" },
    { "cache-control": "no-cache, no-store, max-age=0, must-revalidate", pragma: "no-cache" },
  );
}

function refusal(error: string, description: string, status = 400): Answer {
  return json(status, { error, error_description: description });
}

type Jwt = {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  signed: string;
  signature: Buffer;
};

/** A JWS in compact form (RFC 7515), strictly base64url, or undefined. */
function decode(text: string): Jwt | undefined {
  const parts = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(text);
  if (parts === null) return undefined;
  const [, head = "", body = "", signature = ""] = parts;
  const header = parseObject(head);
  const claims = parseObject(body);
  if (header === undefined || claims === undefined) return undefined;
  return { header, claims, signed: `${head}.${body}`, signature: Buffer.from(signature, "base64url") };
}

function parseObject(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isSignedBy(account: ServiceAccount, { header, signed, signature }: Jwt): boolean {
  if (header.alg !== "RS256") return false;
  if (header.kid !== undefined && header.kid !== account.privateKeyId) return false;
  return verify("sha256", Buffer.from(signed), createPublicKey(account.publicKeyPem), signature);
}
