import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import type { Clock } from "../../../domain/clock.ts";

/** Apple wants a token anew within the hour, and not more often than every 20 minutes. */
const renewalMs = 40 * 60_000;

export type ProviderTokens = {
  /** A JWT that APNs accepts now. */
  get(): string;
  /** APNs refused this one: the next is a new one. */
  drop(token: string): void;
};

/**
 * Provider authentication tokens (https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns)
 * of one push key: ES256, made anew before they are too old.
 */
export function createProviderTokens(
  { clock }: { clock: Clock },
  { teamIdentifier, keyId, key }: { teamIdentifier: string; keyId: string; key: string },
): ProviderTokens {
  const privateKey: KeyObject = createPrivateKey(key);
  let held = { token: "", madeAtMs: Number.NEGATIVE_INFINITY };
  return {
    get() {
      const nowMs = clock.nowMs();
      if (nowMs - held.madeAtMs >= renewalMs) {
        const claims = { iss: teamIdentifier, iat: Math.floor(nowMs / 1000) };
        held = { token: jwt({ alg: "ES256", kid: keyId }, claims, privateKey), madeAtMs: nowMs };
      }
      return held.token;
    },
    drop(token) {
      if (held.token === token) held = { token: "", madeAtMs: Number.NEGATIVE_INFINITY };
    },
  };
}

function jwt(header: object, claims: object, key: KeyObject): string {
  const encoded = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  const text = encoded.join(".");
  const signature = sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" });
  return `${text}.${signature.toString("base64url")}`;
}
