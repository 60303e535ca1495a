import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../domain/clock.ts";
import { PasswrightError } from "../../domain/errors.ts";
import type { GoogleCredentials } from "../../domain/providers/provider.ts";
import { tokenRefusal } from "./google-error.ts";
import type { HttpClient } from "./http-client.ts";
import { signJwt } from "./sign-jwt.ts";
import { createSingleFlight } from "./single-flight.ts";

export const walletScope = "https://www.googleapis.com/auth/wallet_object.issuer";

export type AccessTokens = {
  /** A bearer token that Google's Wallet API accepts now. Refused grant: `provider_credentials_invalid`. */
  get(credentials: GoogleCredentials, signal: AbortSignal): Promise<string>;
  /** The API refused this token: the next `get` asks for another, unless that has happened already. */
  drop(credentials: GoogleCredentials, token: string): void;
};

type HeldToken = { token: string; renewAtMs: number; endsAtMs: number };

/** An hour is what Google grants at most; the last five minutes are for renewing. */
const assertionSeconds = 3600;
const renewalMs = 5 * 60_000;

/** What has less left than this may end on its way. */
const tooLateMs = 10_000;

/** A renewal that failed is tried again after so long, while the old token is good. */
const againMs = 5_000;

/**
 * Access tokens by the JWT bearer grant (RFC 7523 section 2.1, and
 * https://developers.google.com/identity/protocols/oauth2/service-account), one held per service-account key,
 * renewed by one request at a time while the one before still serves.
 */
export function createAccessTokens({ clock, http }: { clock: Clock; http: HttpClient }): AccessTokens {
  const held = new LRUCache<string, HeldToken>({ max: 1000 });
  const renewOnce = createSingleFlight<string>();

  async function renew(key: string, credentials: GoogleCredentials): Promise<string> {
    try {
      const fresh = await requestToken({ clock, http }, credentials);
      held.set(key, fresh);
      return fresh.token;
    } catch (error) {
      const old = held.get(key);
      if (old !== undefined) held.set(key, { ...old, renewAtMs: clock.nowMs() + againMs });
      throw error;
    }
  }

  return {
    async get(credentials, signal) {
      const key = fingerprint(credentials);
      const token = held.get(key);
      const nowMs = clock.nowMs();
      if (token !== undefined && nowMs < token.renewAtMs) return token.token;
      const renewed = renewOnce(key, () => renew(key, credentials), signal);
      if (token === undefined || nowMs > token.endsAtMs - tooLateMs) return renewed;
      // The old one is good for some minutes yet: nobody waits for an endpoint that is slow, or down for so long.
      renewed.catch(() => {});
      return token.token;
    },
    drop(credentials, token) {
      const key = fingerprint(credentials);
      if (held.get(key)?.token === token) held.delete(key);
    },
  };
}

/** Also the key: who replaces it must not be served on the strength of the one before. */
function fingerprint({ tokenUrl, clientEmail, privateKey }: GoogleCredentials): string {
  return createHash("sha256")
    .update(JSON.stringify([tokenUrl, clientEmail, privateKey]))
    .digest("base64");
}

async function requestToken(
  { clock, http }: { clock: Clock; http: HttpClient },
  credentials: GoogleCredentials,
): Promise<HeldToken> {
  const nowMs = clock.nowMs();
  const iat = Math.floor(nowMs / 1000);
  const { clientEmail: iss, tokenUrl: aud } = credentials;
  const assertion = signJwt({ iss, scope: walletScope, aud, iat, exp: iat + assertionSeconds }, credentials);
  const answer = await http.send(
    {
      method: "POST",
      peer: "Google's token endpoint",
      url: aud,
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
      body: new URLSearchParams({
        grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        assertion,
      }).toString(),
    },
    // Shared by all who wait, so no one's own signal may end it; the client has a deadline.
    new AbortController().signal,
  );
  if (answer.status !== 200) throw tokenRefusal(answer, credentials, nowMs);
  const { access_token: token, expires_in: seconds } = (answer.body ?? {}) as Record<string, unknown>;
  if (typeof token !== "string" || token === "" || typeof seconds !== "number" || !(seconds > 0)) {
    throw new PasswrightError(
      "provider_unavailable",
      `${new URL(aud).host} answered without an access token`,
    );
  }
  const lifeMs = seconds * 1000;
  return { token, renewAtMs: nowMs + lifeMs - Math.min(renewalMs, lifeMs / 5), endsAtMs: nowMs + lifeMs };
}
