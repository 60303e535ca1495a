import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { calculateJwkThumbprint, exportJWK } from "jose";
import type { SigningKeyMint } from "../domain/signing-keys/signing-key.ts";

/** RSA 3072: 128 bits of strength, which OWASP ASVS 11.2.3 asks for. */
export const mintSigningKey: SigningKeyMint = async () => {
  const pair = await promisify(generateKeyPair)("rsa", { modulusLength: 3072 });
  const { n = "", e = "" } = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint({ kty: "RSA", n, e });
  // On a command line, one that begins with a hyphen would be taken for a flag.
  if (kid.startsWith("-")) return mintSigningKey();
  return {
    kid,
    publicJwk: { kty: "RSA", n, e, kid, alg: "RS256", use: "sig" },
    privateKey: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
};
