import { createHash } from "node:crypto";
import { type JWTHeaderParameters, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { type Scope, scopes } from "../domain/applications/application.ts";
import type { Clock } from "../domain/clock.ts";
import { PasswrightError } from "../domain/errors.ts";
import { type AccessClaims, type AccessTokens, accessTokenLifetimeSeconds } from "../domain/tokens/token.ts";
import type { Keyring } from "./keyring.ts";

/** No token of ours is nearly as long; longer ones are not worth hashing. */
const longestToken = 4096;
const cachedTokens = 10_000;
const clockToleranceSeconds = 5;

/**
 * Access tokens as RFC 9068 profiles them. A token that was verified once is recognised by the SHA-256 of all its
 * bytes; its key must still be in the ring and its time not over. Failures are not remembered: there is no end of them.
 */
export function createAccessTokens(deps: { keyring: Keyring; clock: Clock; baseUrl: string }): AccessTokens {
  const { keyring, clock, baseUrl } = deps;
  const verified = new LRUCache<string, { claims: AccessClaims; kid: string }>({ max: cachedTokens });
  const nowSeconds = (): number => clock.nowMs() / 1000;

  const verifyAnew = async (token: string) => {
    let kid = "";
    const { payload } = await jwtVerify(
      token,
      (header: JWTHeaderParameters) => {
        kid = header.kid ?? "";
        const key = keyring.verifier(kid);
        if (key === undefined) throw new Error("unknown key");
        return key;
      },
      {
        algorithms: ["RS256"],
        typ: "at+jwt",
        issuer: baseUrl,
        audience: baseUrl,
        requiredClaims: ["sub", "client_id", "tenant_id", "scope", "iat", "exp", "jti"],
        clockTolerance: clockToleranceSeconds,
        currentDate: new Date(clock.nowMs()),
      },
    );
    requireOneReading(token);
    return { claims: readClaims(payload, nowSeconds()), kid };
  };

  return {
    async sign(claims) {
      const { kid, key } = keyring.active();
      return new SignJWT({
        client_id: claims.applicationId,
        tenant_id: claims.tenantId,
        scope: claims.scopes.join(" "),
      })
        .setProtectedHeader({ alg: "RS256", typ: "at+jwt", kid })
        .setIssuer(baseUrl)
        .setAudience(baseUrl)
        .setSubject(claims.applicationId)
        .setIssuedAt(claims.issuedAt)
        .setExpirationTime(claims.expiresAt)
        .setJti(claims.id)
        .sign(key);
    },

    async verify(token) {
      if (token.length > longestToken || !isCompact(token)) throw invalidToken();
      const digest = createHash("sha256").update(token).digest("base64");
      const known = verified.get(digest);
      if (known !== undefined && keyring.verifier(known.kid) !== undefined) {
        if (known.claims.expiresAt > nowSeconds()) return known.claims;
        throw invalidToken();
      }
      try {
        const fresh = await verifyAnew(token);
        verified.set(digest, fresh);
        return fresh.claims;
      } catch (cause) {
        throw invalidToken(cause);
      }
    },
  };
}

/** RFC 7515 section 3.1: three parts, each spelt as base64url spells it; decoders let padding, blanks and stray bits pass. */
function isCompact(token: string): boolean {
  const parts = token.split(".");
  return (
    parts.length === 3 && parts.every((part) => Buffer.from(part, "base64url").toString("base64url") === part)
  );
}

/** Claims that stand twice are read one way here and another way there; what we sign is as JSON.stringify writes it. */
function requireOneReading(token: string): void {
  const text = Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8");
  if (JSON.stringify(JSON.parse(text)) !== text) throw new Error("claims are not as we write them");
}

function readClaims(payload: JWTPayload, nowSeconds: number): AccessClaims {
  const { sub, client_id, tenant_id, scope, iat, exp } = payload;
  const wellFormed =
    typeof sub === "string" &&
    client_id === sub &&
    typeof tenant_id === "string" &&
    typeof scope === "string" &&
    Number.isSafeInteger(exp) &&
    typeof exp === "number" &&
    typeof iat === "number" &&
    exp - iat <= accessTokenLifetimeSeconds &&
    iat <= nowSeconds + clockToleranceSeconds;
  if (!wellFormed) throw new Error("claims are not those of our tokens");
  const granted = scope.split(" ");
  return {
    tenantId: tenant_id,
    applicationId: sub,
    scopes: scopes.filter((known): known is Scope => granted.includes(known)),
    expiresAt: exp,
  };
}

function invalidToken(cause?: unknown): PasswrightError {
  return new PasswrightError(
    "invalid_token",
    "The access token is malformed, expired or not ours. Get a new one: POST /api/v1/auth/token.",
    cause === undefined ? {} : { cause },
  );
}
