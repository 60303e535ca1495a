/**
 * Google's OAuth 2.0 token endpoint for service accounts: the JWT bearer grant (RFC 7523), with the words in
 * which Google refuses (https://developers.google.com/identity/protocols/oauth2/service-account).
 */
import { type Answer, json, type Received } from "../exchange.ts";
import type { Journal } from "../journal.ts";
import type { AccessTokens } from "./access-token.ts";
import { decodeJwt, isSignedBy } from "./jwt.ts";
import { type ServiceAccount, standingOf } from "./service-accounts.ts";

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

  const jwt = decodeJwt(assertion);
  if (jwt === undefined) return refusal("invalid_grant", "Invalid JWT: Failed to parse.");
  const account = parts.accounts.get(String(jwt.claims.iss));
  if (account === undefined || standingOf(account).account === "deleted") {
    return refusal("invalid_grant", "Invalid grant: account not found");
  }
  if (!isSignedBy(account, jwt)) return refusal("invalid_grant", "Invalid JWT Signature.");
  if (standingOf(account).account === "disabled") return refusal("invalid_grant", "Robot is disabled.");
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
