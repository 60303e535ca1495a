/**
 * The keys behind Google's signed call-backs: a root, published, signs an intermediate key, which signs messages
 * (ECv2SigningOnly: https://developers.google.com/pay/api/processors/guides/implementation/payment-data-cryptography#payment-method-token-structure).
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign as signDigest,
} from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

export const protocolVersion = "ECv2SigningOnly";
export const senderId = "GooglePayPasses";

/** An intermediate key as a message carries it, and the key itself. */
export type Intermediate = { signedKey: string; signatures: string[]; privateKey: KeyObject };

export type CallbackKeys = {
  /** What `/gp/m/issuer/keys` answers. */
  published(): { keys: { keyValue: string; protocolVersion: string; keyExpiration: string }[] };
  /** The key to sign with now: made anew before it ends. */
  intermediate(): Intermediate;
  /** One that ended at this time, for who tests that it is refused. */
  endedAt(expiresAtMs: number): Intermediate;
};

/** The end that Google's own keys name: in 2038. */
const rootExpiration = "2154841200000";
const lifetimeMs = 7 * 86_400_000;

/** The root's private key is kept in `keyFile`, readable by the owner only, and made on first use. */
export function openCallbackKeys(keyFile: string, nowMs: () => number): CallbackKeys {
  if (!existsSync(keyFile)) {
    const pem = newKey().export({ type: "pkcs8", format: "pem" });
    writeFileSync(`${keyFile}.new`, pem, { mode: 0o600 });
    renameSync(`${keyFile}.new`, keyFile);
  }
  const root = createPrivateKey(readFileSync(keyFile));
  let current = make(nowMs() + lifetimeMs);
  let renewAtMs = nowMs() + lifetimeMs / 2;

  function make(expiresAtMs: number): Intermediate {
    const privateKey = newKey();
    const signedKey = googleJson({ keyValue: spki(privateKey), keyExpiration: String(expiresAtMs) });
    return { signedKey, signatures: [signParts(root, [senderId, protocolVersion, signedKey])], privateKey };
  }

  return {
    published: () => ({
      keys: [{ keyValue: spki(root), protocolVersion, keyExpiration: rootExpiration }],
    }),
    intermediate() {
      if (nowMs() >= renewAtMs) {
        current = make(nowMs() + lifetimeMs);
        renewAtMs = nowMs() + lifetimeMs / 2;
      }
      return current;
    },
    endedAt: make,
  };
}

/** Base64 of an ECDSA signature (DER, SHA-256) over each part's length in bytes, little-endian, and its UTF-8. */
export function signParts(key: KeyObject, parts: readonly string[]): string {
  const bytes = parts.flatMap((part) => {
    const text = Buffer.from(part, "utf8");
    const length = Buffer.alloc(4);
    length.writeUInt32LE(text.length);
    return [length, text];
  });
  return signDigest("sha256", Buffer.concat(bytes), key).toString("base64");
}

/** JSON with «=» as Google's serializer writes it: what is signed is the text, and not what it means. */
export const googleJson = (value: object): string => JSON.stringify(value).replaceAll("=", "\\u003d");

const newKey = (): KeyObject => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

const spki = (key: KeyObject): string =>
  createPublicKey(key).export({ type: "spki", format: "der" }).toString("base64");
